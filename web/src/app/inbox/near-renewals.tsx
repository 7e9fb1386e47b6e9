import type { Renewal } from '@hourshare/contract/periods';
import { Link } from '@tanstack/react-router';
import { RenewalList } from '../../features/periods/renewal-list.tsx';
import { useRenewals } from '../../features/periods/renewals-api.ts';
import { LastYear } from '../../features/statements/last-year.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { SectionHeading } from '../../ui/page-header.tsx';
import { textLink } from '../../ui/text-link.ts';

const evidence = ({ asset_id: id }: Renewal) => <LastYear assetId={id} />;

/** The renewals whose first reminder has come, until their owner decides; nothing without any. */
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
      <RenewalList renewals={near} evidence={evidence} />
    </>
  );
}
