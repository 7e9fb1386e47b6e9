import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { Brand } from '../../ui/brand.tsx';
import { LanguageSelect } from '../../ui/language-select.tsx';

const links = () => [
  { to: paths.about, name: t('About') },
  { to: paths.privacy, name: t('Privacy') },
  { to: paths.terms, name: t('Terms') },
];

// These pages don't exist yet. A screen reader announces a disabled link as such, and Tab skips it.
const groups = () => [
  { title: t('Resources'), names: [t('Blog'), t('Guides'), t('Support'), t('Careers')] },
  // oxlint-disable-next-line hourshare/text-in-catalog -- brands
  { title: t('Social'), names: ['Mastodon', 'Bluesky', 'GitHub'] },
];

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <h2 className="font-semibold">{title}</h2>
    <ul role="list" className="mt-1">
      {children}
    </ul>
  </div>
);

export const Footer = () => (
  <footer className="mt-20 border-t border-line py-8 text-[14.5px] md:mt-28">
    <div className="grid grid-cols-2 gap-x-10 gap-y-8 sm:grid-cols-3 lg:grid-cols-[1fr_auto_auto_auto] lg:gap-x-20">
      <div className="max-w-[300px] max-lg:col-span-full">
        <Brand />
        <p className="mt-1 text-muted">{t('Share what you pay for, and split it by the hours each person uses.')}</p>
      </div>
      <Group title="HourShare">
        {links().map(({ to, name }) => (
          <li key={to}>
            <Link
              to={to}
              className="inline-flex min-h-11 items-center rounded-control font-medium text-muted hover:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </Group>
      {groups().map(({ title, names }) => (
        <Group key={title} title={title}>
          {names.map((name) => (
            <li key={name} className="flex min-h-11 items-center text-muted">
              <span role="link" aria-disabled="true">
                {name}
              </span>
            </li>
          ))}
        </Group>
      ))}
    </div>
    <div className="mt-8 flex flex-wrap-reverse items-center justify-between gap-x-10 gap-y-5">
      <p className="text-[13.5px] text-muted">
        {t("Names and logos of other services belong to their owners, who aren't affiliated with HourShare.")}
      </p>
      <LanguageSelect />
    </div>
  </footer>
);
