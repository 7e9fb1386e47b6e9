import { useState } from 'react';
import { dateTimeText } from '../../platform/format/time.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useCalendar, useMakeAddress, useRemoveAddress } from './api.ts';

/** The address at which calendar programs read the user's sessions, shown once it is made. */
export function CalendarAddress() {
  const { data, isPending, isError, refetch } = useCalendar();
  const make = useMakeAddress();
  const remove = useRemoveAddress();
  const [asking, setAsking] = useState<'replace' | 'remove' | null>(null);
  const since = data?.since ?? null;
  const made = since === make.data?.since ? make.data : undefined;
  const failure = make.isError ? errorText(make.error) || t("Couldn't make an address. Please try again.") : null;
  const close = () => setAsking(null);
  return (
    <div className="grid gap-3">
      {isPending && <Spinner label={t('Loading the calendar')} className="py-3" />}
      {isError && !data && <Banner onRetry={() => void refetch()}>{t("Couldn't load the calendar.")}</Banner>}
      {asking === null && failure !== null && <Banner>{failure}</Banner>}
      {made && (
        <CopyField
          label={t('Address for your calendar app')}
          value={made.address}
          hint={t('Copy it now: it is shown only once. Anyone who has it can read your sessions.')}
        />
      )}
      {since !== null && !made && (
        <p className="text-[14px] text-muted">{t('In use since {when}', { when: dateTimeText(since) })}</p>
      )}
      {data && (
        <div className="flex flex-wrap gap-2.5">
          <Button
            look="outline"
            size="small"
            busy={since === null && make.isPending}
            busyText={t('Making...')}
            onClick={() => (since === null ? make.mutate() : setAsking('replace'))}
          >
            {since === null ? t('Make an address') : t('Replace [[calendar address]]')}
          </Button>
          {since !== null && (
            <Button look="plain" size="small" onClick={() => setAsking('remove')}>
              {t('Remove [[calendar address]]')}
            </Button>
          )}
        </div>
      )}
      {asking === 'replace' && (
        <ConfirmDialog
          title={t('Replace this address?')}
          confirm={t('Replace [[calendar address]]')}
          busyText={t('Making...')}
          busy={make.isPending}
          failure={failure}
          onConfirm={() => make.mutate(undefined, { onSuccess: close })}
          onCancel={close}
        >
          <p>{t('Calendars with the old address stop updating.')}</p>
        </ConfirmDialog>
      )}
      {asking === 'remove' && (
        <ConfirmDialog
          title={t('Remove this address?')}
          confirm={t('Remove [[calendar address]]')}
          busyText={t('Removing...')}
          busy={remove.isPending}
          failure={remove.isError ? errorText(remove.error) || t("Couldn't remove it. Please try again.") : null}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          onCancel={close}
        >
          <p>{t('Calendars with the old address stop updating.')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
