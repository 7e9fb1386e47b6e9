import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { useDeposits } from './api.ts';
import { DepositRows } from './deposit-rows.tsx';

/** What the user gave or holds, apart from what is owed. */
export function Deposits() {
  const deposits = useDeposits();
  return (
    <section aria-labelledby="deposits">
      <SectionHeading id="deposits">{t('Deposits')}</SectionHeading>
      {deposits.isError && (
        <Banner className="mb-4" onRetry={() => void deposits.refetch()}>
          {t("Couldn't load deposits")}
        </Banner>
      )}
      {deposits.data && deposits.data.length > 0 && (
        <Card className="py-1!">
          <DepositRows deposits={deposits.data} />
        </Card>
      )}
    </section>
  );
}
