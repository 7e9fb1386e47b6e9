import { Tabs as Base } from '@base-ui/react/tabs';
import { useContext, type ReactNode } from 'react';
import { PlaceContext, useUnsavedForms } from '../platform/forms/unsaved.ts';

export interface TabItem<Name extends string> {
  name: Name;
  label: string;
  content: () => ReactNode;
}

const looks = {
  /** A row of tabs over a panel that scrolls. */
  line: {
    root: 'flex min-h-0 flex-1 flex-col',
    list: 'flex shrink-0 snap-x overflow-x-auto border-b border-line px-1 [scrollbar-width:none] min-[360px]:px-2 md:gap-1 md:px-3.5',
    tab: 'min-h-12 shrink-0 grow snap-start px-1 text-[13px] min-[390px]:text-small font-medium text-muted -outline-offset-2 transition-colors hover:text-ink aria-selected:font-semibold aria-selected:shadow-[inset_0_-2px_0_var(--accent)] aria-selected:text-ink sm:grow-0 sm:px-2.5 sm:text-[14.5px]',
    panel: 'min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 -outline-offset-2 md:px-6',
  },
  /** Parts of a page, which scrolls as a whole. */
  page: {
    root: '',
    list: 'mb-5 flex flex-wrap gap-x-5 border-b border-line print:hidden',
    tab: 'min-h-12 text-[14.5px] font-medium text-muted -outline-offset-2 transition-colors hover:text-ink aria-selected:font-semibold aria-selected:shadow-[inset_0_-2px_0_var(--accent)] aria-selected:text-ink',
    panel: '-outline-offset-2',
  },
  /** Parts of a tab, inside its panel. */
  segments: {
    root: '',
    list: 'mb-5 grid auto-cols-fr grid-flow-col gap-1 rounded-control border border-line bg-sunken p-1 md:p-[3px] print:hidden',
    tab: 'min-h-11 rounded-[7px] border border-transparent px-0.5 text-[13px] leading-tight font-medium text-muted transition-colors hover:text-ink aria-selected:border-line-field aria-selected:bg-surface aria-selected:font-semibold aria-selected:text-ink sm:text-[14.5px] md:min-h-9',
    panel: '-outline-offset-2',
  },
};

interface TabsProps<Name extends string> {
  look?: keyof typeof looks;
  label: string;
  items: TabItem<Name>[];
  current: Name;
  onChange: (name: Name) => void;
  /** Shown between the row of tabs and the panel. */
  notice?: ReactNode;
}

/** A panel with unsaved edits stays mounted, hidden, while another tab is shown. */
export function Tabs<Name extends string>({ look = 'line', label, items, current, onChange, notice }: TabsProps<Name>) {
  const place = useContext(PlaceContext);
  const placeOf = (name: Name) => (place === '' ? name : `${place}/${name}`);
  const { forms } = useUnsavedForms();
  const isUnsaved = (at: string) => forms.some((form) => form.place === at || form.place.startsWith(`${at}/`));
  return (
    <Base.Root
      value={current}
      onValueChange={(name: unknown) => {
        const chosen = items.find((item) => item.name === name);
        if (chosen) onChange(chosen.name);
      }}
      className={looks[look].root}
    >
      <Base.List aria-label={label} activateOnFocus={false} className={looks[look].list}>
        {items.map((item) => (
          <Base.Tab key={item.name} value={item.name} className={looks[look].tab}>
            {item.label}
          </Base.Tab>
        ))}
      </Base.List>
      {items.map((item) => (
        <Base.Panel
          key={item.name}
          value={item.name}
          keepMounted={isUnsaved(placeOf(item.name))}
          className={looks[look].panel}
        >
          {item.name === current && notice}
          <PlaceContext value={placeOf(item.name)}>{item.content()}</PlaceContext>
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
