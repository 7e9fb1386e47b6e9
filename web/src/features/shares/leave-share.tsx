import type { SharedAsset } from '@hourshare/contract/shares';
import { useState, type ReactNode } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useDeposits } from '../deposits/api.ts';
import { stillHeldText } from '../deposits/deposit-text.ts';
import { useLeaveShare } from './changes-api.ts';

const ownDirection = (text: ReactNode) => <span dir="auto">{text}</span>;

/** The action that ends a member's own access. */
export function LeaveShare({ share, onLeft }: { share: SharedAsset; onLeft: () => void }) {
  const [asking, setAsking] = useState(false);
  const leave = useLeaveShare(share, onLeft);
  const { asset_name: asset, owner } = share;
  const { data: deposits } = useDeposits({ enabled: asking });
  const held = stillHeldText(deposits, { assetId: share.asset.id, username: owner, direction: 'they_hold' });
  return (
    <section aria-labelledby="leave" className="mt-8 border-t border-line pt-5">
      <h3 id="leave" className="font-semibold">
        {t('Leave [[asset]]')}
      </h3>
      <div className="mt-3 flex items-center justify-between gap-5">
        <p className="min-w-0 text-[14px] text-muted">
          {t('Ends your access and any new charges. Past months stay on record.')}
        </p>
        <Button look="outline" className="shrink-0 text-over-text!" onClick={() => setAsking(true)}>
          {t('Leave [[asset]]')}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={rich('Leave <name>{asset}</name>?', { asset, name: ownDirection })}
          confirm={t('Leave [[asset]]')}
          busyText={t('Leaving...')}
          busy={leave.isPending}
          failure={leave.isError ? errorText(leave.error) || t("Couldn't leave. Please try again.") : null}
          onConfirm={() => leave.mutate()}
          onCancel={() => setAsking(false)}
        >
          <p>
            {share.active_session
              ? t('Your session ends. What you used up to now stays on the bill.')
              : t('What you used up to now stays on the bill.')}
          </p>
          {held !== null && <p>{held}</p>}
          <p>{t('To get access again, you need a new offer from {owner}.', { owner })}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
