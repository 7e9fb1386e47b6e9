import { useId } from 'react';
import { MadeLink } from '../../../features/shares/made-link.tsx';
import { t } from '../../../platform/i18n/messages.ts';
import type { FirstOutcome } from './first-asset.tsx';

type Link = FirstOutcome['links'][number];

interface FirstLinksProps {
  asset: FirstOutcome['asset'];
  links: Link[];
  onDone: (link: Link) => void;
}

/** The links of those who were invited without an account, until they have been passed on. */
export function FirstLinks({ asset, links, onDone }: FirstLinksProps) {
  const id = useId();
  return links.map((link) => (
    <div key={link.invitation.id} className="mb-5">
      <h3 id={`${id}-${link.invitation.id}`} className="font-semibold">
        <bdi>{link.name}</bdi>
      </h3>
      <MadeLink
        headingId={`${id}-${link.invitation.id}`}
        link={link.invitation.link}
        title={t('Invitation to {asset}', { asset: asset.name })}
        label={
          asset.measured
            ? t('Link for one person, {hours, plural, one {# hour} other {# hours}} a month', {
                hours: link.invitation.monthly_hours_allocated,
              })
            : t('Link for one person')
        }
        expiresAt={link.invitation.expires_at}
        onDone={() => onDone(link)}
      />
    </div>
  ));
}
