import { Check } from 'lucide-react';
import { t } from '../../platform/i18n/messages.ts';
import { classes } from '../../ui/class-names.ts';

/* oxlint-disable hourshare/text-in-catalog -- names of services */
const SERVICES = [
  'Netflix',
  'Spotify',
  'YouTube Premium',
  'Disney+',
  'Apple TV+',
  'Figma',
  'Notion',
  'Dropbox',
  'Strava',
  'Duolingo',
  '1Password',
  'Audible',
];
/* oxlint-enable hourshare/text-in-catalog */

interface ServiceTilesProps {
  /** The name in the form, whose tile is marked. */
  chosen: string;
  onChoose: (name: string) => void;
}

/** Names of common services, to start with instead of an empty field. */
export const ServiceTiles = ({ chosen, onChoose }: ServiceTilesProps) => (
  <div role="group" aria-label={t('Common services')} className="grid grid-cols-3 gap-2 sm:grid-cols-4 sm:gap-2.5">
    {SERVICES.map((name) => (
      <button
        key={name}
        type="button"
        aria-pressed={chosen === name}
        onClick={() => onChoose(name)}
        className={classes(
          'flex min-h-14 min-w-0 items-center justify-center gap-1.5 rounded-control border px-2 text-[14px] leading-tight font-medium transition-colors',
          chosen === name ? 'border-accent inset-ring inset-ring-accent' : 'border-line-strong hover:border-accent',
        )}
      >
        <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
        {chosen === name && <Check aria-hidden size={16} className="shrink-0 text-accent-text max-sm:hidden" />}
      </button>
    ))}
  </div>
);
