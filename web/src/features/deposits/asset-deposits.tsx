import { Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { keepFocusInPage } from '../../ui/focus.ts';
import { useDeposits } from './api.ts';
import type { DepositPlace } from './changes-api.ts';
import { DepositForm } from './deposit-form.tsx';
import { DepositRows } from './deposit-rows.tsx';

interface AssetDepositsProps {
  assetId: number;
  /** For a member, who records here what they give the owner. */
  record?: { place: DepositPlace; currency: string; person: string } | undefined;
}

/** The user's deposits for an asset. Owners record one where they see who has access. */
export function AssetDeposits({ assetId, record }: AssetDepositsProps) {
  const heading = useId();
  const [recording, setRecording] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { data, isError, refetch } = useDeposits();
  const deposits = data?.filter((each) => each.asset_id === assetId) ?? [];
  if (deposits.length === 0 && !record) return null;
  return (
    <section aria-labelledby={heading} className="mt-8 border-t border-line pt-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id={heading} className="font-semibold">
          {t('Deposits')}
        </h3>
        {record && !recording && (
          <Button
            ref={opener}
            look="outline"
            size="small"
            icon={<Plus aria-hidden size={16} />}
            onClick={() => setRecording(true)}
          >
            {t('Record a deposit')}
          </Button>
        )}
      </div>
      {isError && (
        <Banner className="mt-2" onRetry={() => void refetch()}>
          {t("Couldn't load deposits")}
        </Banner>
      )}
      {record && recording && (
        <DepositForm
          {...record}
          onDone={() => {
            setRecording(false);
            keepFocusInPage(() => opener.current);
          }}
        />
      )}
      {deposits.length > 0 && <DepositRows deposits={deposits} />}
    </section>
  );
}
