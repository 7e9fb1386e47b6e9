import type { TwoStep as Status, TwoStepKey } from '@hourshare/contract/sign-ins';
import { RECOVERY_CODES } from '@hourshare/contract/limits';
import { useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { dateTimeText } from '../../platform/format/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoStepSetup } from './two-step-setup.tsx';
import { useEndTwoStep, useMakeKey, useRenewCodes, useTwoStep } from './two-step-api.ts';

/** At or below this number, the user is advised to create new ones. */
const FEW_CODES = 2;

/** Shows whether signing in takes a code, and the actions to change that. */
export function TwoStep({ username }: { username: string }) {
  const twoStep = useTwoStep();
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <>
      {twoStep.isPending && <Spinner label={t('Loading two-step sign-in')} className="py-3" />}
      {twoStep.isError && (
        <Banner onRetry={() => void twoStep.refetch()}>{t("Couldn't load two-step sign-in.")}</Banner>
      )}
      {twoStep.data?.since === null && <TurnOn onCodes={setCodes} />}
      {typeof twoStep.data?.since === 'string' && (
        <TurnedOn since={twoStep.data.since} left={twoStep.data.recovery_codes_left} onCodes={setCodes} />
      )}
      {codes && <RecoveryCodes codes={codes} username={username} onClose={() => setCodes(null)} />}
    </>
  );
}

function TurnOn({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const make = useMakeKey();
  const [made, setMade] = useState<TwoStepKey | null>(null);
  return (
    <>
      {make.isError && (
        <Banner className="mb-3">{errorText(make.error) || t("Couldn't start. Please try again.")}</Banner>
      )}
      <Button look="outline" busy={make.isPending} onClick={() => make.mutate(undefined, { onSuccess: setMade })}>
        {t('Turn on')}
      </Button>
      {made && (
        <TwoStepSetup
          made={made}
          onDone={(codes) => {
            setMade(null);
            onCodes(codes);
          }}
          onCancel={() => setMade(null)}
        />
      )}
    </>
  );
}

function TurnedOn({
  since,
  left,
  onCodes,
}: {
  since: string;
  left: Status['recovery_codes_left'];
  onCodes: (codes: string[]) => void;
}) {
  const [asking, setAsking] = useState<'codes' | 'off' | null>(null);
  const renew = useRenewCodes();
  const end = useEndTwoStep();
  const stop = () => {
    setAsking(null);
    renew.reset();
    end.reset();
  };
  return (
    <>
      <p>
        {t(
          'On since {date}. {left, plural, one {# of {all} recovery codes is left.} other {# of {all} recovery codes are left.}}',
          {
            date: dateTimeText(since),
            left,
            all: RECOVERY_CODES,
          },
        )}
      </p>
      {left <= FEW_CODES && (
        <Banner tone="note" className="mt-3">
          {t('Make new recovery codes before you run out of them.')}
        </Banner>
      )}
      <div className="mt-3.5 flex flex-wrap gap-2.5">
        <Button look="outline" onClick={() => setAsking('codes')}>
          {t('New recovery codes')}
        </Button>
        <Button look="outline" className="text-over-text!" onClick={() => setAsking('off')}>
          {t('Turn off')}
        </Button>
      </div>
      {asking === 'codes' && (
        <ConfirmDialog
          title={t('Make new recovery codes?')}
          confirm={t('Make new codes')}
          look="primary"
          busyText={t('Making...')}
          busy={renew.isPending}
          failure={renew.isError ? errorText(renew.error) || t("Couldn't make new codes. Please try again.") : null}
          onConfirm={() =>
            renew.mutate(undefined, {
              onSuccess: ({ recovery_codes: made }) => {
                stop();
                onCodes(made);
              },
            })
          }
          onCancel={stop}
        >
          <p>{t('Your current codes will stop working.')}</p>
        </ConfirmDialog>
      )}
      {asking === 'off' && (
        <ConfirmDialog
          title={t('Turn off two-step sign-in?')}
          confirm={t('Turn off')}
          busyText={t('Turning off...')}
          busy={end.isPending}
          failure={end.isError ? errorText(end.error) || t("Couldn't turn it off. Please try again.") : null}
          onConfirm={() => end.mutate(undefined, { onSuccess: stop })}
          onCancel={stop}
        >
          <p>{t('Your password alone will be enough to sign in. Your recovery codes will stop working.')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
