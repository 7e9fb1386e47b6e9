import { t } from '../../platform/i18n/messages.ts';
import { ServiceTile } from '../../ui/service-tile.tsx';

/* oxlint-disable hourshare/text-in-catalog -- brands */
const services = [
  { name: 'Netflix', mark: 'netflix' },
  { name: 'Spotify', mark: 'spotify' },
  { name: 'YouTube Premium', mark: 'youtube' },
  { name: 'Apple TV+', mark: 'appletv' },
  { name: 'Crunchyroll', mark: 'crunchyroll' },
  { name: 'Audible', mark: 'audible' },
  { name: 'Figma', mark: 'figma' },
  { name: 'Notion', mark: 'notion' },
  { name: 'Dropbox', mark: 'dropbox' },
  { name: '1Password', mark: '1password' },
  { name: 'Duolingo', mark: 'duolingo' },
];
/* oxlint-enable hourshare/text-in-catalog */

export const Subscriptions = () => (
  <section aria-labelledby="subscriptions-heading" className="pt-12">
    <h2 id="subscriptions-heading" className="font-display text-[21px] leading-tight font-bold">
      {t('For every monthly subscription')}
    </h2>
    <ul role="list" className="mt-4 flex flex-wrap gap-2">
      {services.map(({ name, mark }) => (
        <li
          key={name}
          className="inline-flex items-center gap-2.5 rounded-card border border-line bg-surface py-1.5 pe-4 ps-1.5 font-medium"
        >
          <ServiceTile mark={mark} />
          <bdi>{name}</bdi>
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
