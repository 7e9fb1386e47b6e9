import { t } from '../../platform/i18n/messages.ts';
import { findServiceMark } from '../../ui/service-mark.ts';
import { ServiceTile } from '../../ui/service-tile.tsx';

/* oxlint-disable hourshare/text-in-catalog -- brands */
const services = [
  'Netflix',
  'Spotify',
  'YouTube Premium',
  'Apple TV+',
  'Crunchyroll',
  'Audible',
  'Figma',
  'Notion',
  'Dropbox',
  '1Password',
  'Duolingo',
];
/* oxlint-enable hourshare/text-in-catalog */

export const Subscriptions = () => (
  <section aria-labelledby="subscriptions-heading" className="pt-12">
    <h2 id="subscriptions-heading" className="font-display text-[21px] leading-tight font-bold">
      {t('For every monthly subscription')}
    </h2>
    <ul role="list" className="mt-4 flex flex-wrap gap-2">
      {services.map((name) => (
        <li
          key={name}
          className="inline-flex items-center gap-2.5 rounded-card font-medium sm:border sm:border-line sm:bg-surface sm:py-1.5 sm:pe-4 sm:ps-1.5"
        >
          <ServiceTile mark={findServiceMark(name) ?? ''} />
          <bdi className="max-sm:sr-only">{name}</bdi>
        </li>
      ))}
    </ul>
    <p className="mt-3 text-[13.5px] text-muted">
      {t(
        "And anything else with a monthly price. HourShare needs no access to these services and isn't affiliated with them.",
      )}
    </p>
  </section>
);
