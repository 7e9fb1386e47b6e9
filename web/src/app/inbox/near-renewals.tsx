import { Link } from '@tanstack/react-router';
import { cyclePriceText } from '../../features/periods/cycle-text.ts';
import { eventText } from '../../features/periods/renewal-list.tsx';
import { useRenewals } from '../../features/periods/renewals-api.ts';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { textLink } from '../../ui/text-link.ts';
import { Tile } from '../../ui/tile.tsx';

/** The renewals whose first reminder has come, until their owner decides, with a way to their votes; nothing without any. */
export function NearRenewals() {
  const { data = [] } = useRenewals();
  const near = data.filter(({ near: isNear, decision }) => isNear && decision === null);
  if (near.length === 0) return null;
  return (
    <>
      <SectionHeading
        aside={
          <Link to={paths.renewals} className={textLink}>
            {t('All renewals')}
          </Link>
        }
      >
        {t('Renews soon')}
      </SectionHeading>
      <ul role="list" className="grid gap-3.5">
        {near.map((renewal) => (
          <Card key={`${renewal.asset_id} ${renewal.kind} ${renewal.on}`} as="li">
            <div className="flex items-center gap-3">
              <Tile name={renewal.asset_name} />
              <div className="min-w-0 flex-1">
                <p className="font-semibold [overflow-wrap:anywhere]" dir="auto">
                  {renewal.asset_name}
                </p>
                <p>{eventText(renewal)}</p>
              </div>
              {renewal.kind !== 'end' && <p className="figures text-end font-semibold">{cyclePriceText(renewal)}</p>}
            </div>
          </Card>
        ))}
      </ul>
    </>
  );
}
