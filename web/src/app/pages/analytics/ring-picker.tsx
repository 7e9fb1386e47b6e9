import { Link } from '@tanstack/react-router';
import { t } from '../../../platform/i18n/messages.ts';
import { paths, type AnalyticsSearch } from '../../../platform/paths.ts';
import { hidden } from '../../../ui/hidden-text.tsx';
import { Ring } from '../../../ui/ring.tsx';
import { Tile } from '../../../ui/tile.tsx';

interface Choice {
  id: number;
  name: string;
  /** Tells two of the same name apart; only screen readers read it here. */
  owner?: string;
  /** The use, as parts of the allowance. */
  part: number;
  running: number;
  /** The use in words. */
  text: string;
  search: AnalyticsSearch;
}

interface RingPickerProps {
  label: string;
  choices: Choice[];
  selected: number;
}

/** Beyond them, a list of names is faster to search. */
export const MAX_RINGS = 8;

/** What there is to look at, each with this month's use. On a phone, a row to scroll. */
export const RingPicker = ({ label, choices, selected }: RingPickerProps) => (
  <ul
    role="list"
    aria-label={label}
    className="relative -mx-3.5 mb-3.5 flex gap-2.5 overflow-x-auto px-3.5 py-1 md:mx-0 md:grid md:grid-cols-[repeat(auto-fit,minmax(200px,1fr))] md:overflow-visible md:px-0"
  >
    {choices.map(({ id, name, owner, part, running, text, search }) => (
      <li key={id} className="max-w-60 min-w-44 flex-1">
        <Link
          to={paths.analytics}
          search={search}
          replace
          resetScroll={false}
          aria-current={id === selected || undefined}
          // The router says "page" of the address that is open, and the first choice is open without its own.
          className="flex h-full items-center gap-3 rounded-card border border-line bg-surface p-2.5 shadow-lift transition-colors hover:bg-canvas aria-[current]:border-accent aria-[current]:shadow-[0_0_0_1px_var(--accent)]"
        >
          <Ring part={part} running={running} size="small">
            <Tile name={name} size="small" className="rounded-full!" />
          </Ring>
          <span className="min-w-0">
            <span className="block truncate font-semibold" dir="auto">
              {name}
            </span>
            {owner !== undefined && hidden(t('Shared by {owner}', { owner }))}
            <span className={`figures block text-small ${part > 1 ? 'text-over-text' : 'text-muted'}`}>{text}</span>
          </span>
        </Link>
      </li>
    ))}
  </ul>
);
