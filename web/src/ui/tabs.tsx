import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tabs as Base } from '@base-ui/react/tabs';
import { useContext, type ReactNode } from 'react';
import { PlaceContext, useUnsavedPlaces } from '../lib/unsaved.ts';

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
  const isUnsaved = useUnsavedPlaces();
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
          className="flex shrink-0 gap-1 overflow-x-auto max-[359px]:gap-0 border-b border-line px-2 [scrollbar-width:none] md:px-3.5"
        >
          {items.map((item) => (
            <Base.Tab
              key={item.name}
              value={item.name}
              className="min-h-12 shrink-0 px-2 text-[14.5px] max-[359px]:px-1.5 max-[359px]:text-[13.5px] font-medium text-muted -outline-offset-2 transition-colors hover:text-ink aria-selected:font-semibold aria-selected:shadow-[inset_0_-2px_0_var(--accent)] aria-selected:text-ink md:px-2.5"
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
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 -outline-offset-2 md:px-5.5"
          >
            {item.name === current && notice}
            <PlaceContext value={placeOf(item.name)}>{item.content()}</PlaceContext>
          </Base.Panel>
        ))}
      </Base.Root>
    </CSPProvider>
  );
}
