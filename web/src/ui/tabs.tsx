import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tabs as Base } from '@base-ui/react/tabs';
import { useContext, type ReactNode } from 'react';
import { PlaceContext, useUnsavedForms } from '../lib/unsaved.ts';

export interface TabItem<Name extends string> {
  name: Name;
  label: string;
  content: () => ReactNode;
}

interface TabsProps<Name extends string> {
  label: string;
  items: TabItem<Name>[];
  current: Name;
  onChange: (name: Name) => void;
  /** Shown between the row of tabs and the panel. */
  notice?: ReactNode;
}

/** A panel with unsaved edits stays mounted, hidden, while another tab is shown. */
export function Tabs<Name extends string>({ label, items, current, onChange, notice }: TabsProps<Name>) {
  const place = useContext(PlaceContext);
  const placeOf = (name: Name) => (place === '' ? name : `${place}/${name}`);
  const { forms } = useUnsavedForms();
  const isUnsaved = (at: string) => forms.some((form) => form.place === at || form.place.startsWith(`${at}/`));
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        value={current}
        onValueChange={(name: unknown) => {
          const chosen = items.find((item) => item.name === name);
          if (chosen) onChange(chosen.name);
        }}
        className="flex min-h-0 flex-1 flex-col"
      >
        <Base.List
          aria-label={label}
          activateOnFocus={false}
          className="flex shrink-0 snap-x overflow-x-auto border-b border-line px-1 [scrollbar-width:none] min-[360px]:px-2 md:gap-1 md:px-3.5"
        >
          {items.map((item) => (
            <Base.Tab
              key={item.name}
              value={item.name}
              className="min-h-12 shrink-0 grow snap-start px-1 text-[13px] min-[390px]:text-[13.5px] font-medium text-muted -outline-offset-2 transition-colors hover:text-ink aria-selected:font-semibold aria-selected:shadow-[inset_0_-2px_0_var(--accent)] aria-selected:text-ink sm:grow-0 sm:px-2.5 sm:text-[14.5px]"
            >
              {item.label}
            </Base.Tab>
          ))}
        </Base.List>
        {items.map((item) => (
          <Base.Panel
            key={item.name}
            value={item.name}
            keepMounted={isUnsaved(placeOf(item.name))}
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 -outline-offset-2 md:px-6"
          >
            {item.name === current && notice}
            <PlaceContext value={placeOf(item.name)}>{item.content()}</PlaceContext>
          </Base.Panel>
        ))}
      </Base.Root>
    </CSPProvider>
  );
}
