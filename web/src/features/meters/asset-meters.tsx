import type { Meter } from '@hourshare/contract/meters';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { dateTimeText } from '../../platform/format/time.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { useNow } from '../../platform/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { takeFocus } from '../../ui/focus.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { announce } from '../../ui/toasts.ts';
import { useDeleteMeter, useMeters, useReplaceToken, type MeterKey } from './api.ts';
import { ImportFile } from './import-file.tsx';
import { AddMeter, MeterSettings } from './meter-form.tsx';
import { MeterNames } from './meter-names.tsx';
import { MeterSetUp } from './meter-set-up.tsx';
import { heardText } from './meter-text.ts';

/** The meters of an asset, for those who manage it. Load it lazily. */
export function AssetMeters({ assetId }: { assetId: number }) {
  const meters = useMeters(assetId);
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState<{ id: number; token: string | null } | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const wasCanceled = useRef(false);
  // The focused field is gone.
  useEffect(() => {
    if (isAdding || !wasCanceled.current) return;
    wasCanceled.current = false;
    takeFocus(addButton.current);
  }, [isAdding]);
  if (meters.isPending) return <Spinner label={t('Loading meters')} className="py-3" />;
  if (!meters.data) return <Banner onRetry={() => void meters.refetch()}>{t("Couldn't load meters.")}</Banner>;
  return (
    <>
      {meters.data.length === 0 && !isAdding && (
        <p className="mb-3 text-[14px] text-muted">
          {t('Record sessions from a media server, a smart plug, or a script.')}
        </p>
      )}
      {meters.data.length > 0 && (
        <ul role="list" aria-label={t('Meters')} className="mb-4 divide-y divide-line border-y border-line">
          {meters.data.map((meter) => (
            <li key={meter.id}>
              <MeterEntry
                assetId={assetId}
                meter={meter}
                isNew={meter.id === added?.id}
                token={meter.id === added?.id ? added.token : null}
              />
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <AddMeter
          assetId={assetId}
          onAdded={({ id, name }, token) => {
            setAdding(false);
            setAdded({ id, token });
            announce(t('Meter added: {meter}', { meter: name }));
          }}
          onCancel={() => {
            wasCanceled.current = true;
            setAdding(false);
          }}
        />
      ) : (
        <Button ref={addButton} look="outline" size="small" onClick={() => setAdding(true)}>
          {t('Add a meter')}
        </Button>
      )}
    </>
  );
}

interface MeterEntryProps {
  assetId: number;
  meter: Meter;
  isNew: boolean;
  /** With which it was just added. */
  token: string | null;
}

function MeterEntry({ assetId, meter, isNew, token }: MeterEntryProps) {
  const meterKey = { assetId, meterId: meter.id };
  // That it is silent now is said above.
  const silences = meter.silences.flatMap(({ since, until }) => (until === null ? [] : { since, until }));
  const unknown = meter.names.filter(({ share_id: id, waiting_events: count }) => id === null && count > 0).length;
  return (
    <Disclosure
      open={isNew}
      summary={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
            <bdi className="block font-medium">{meter.name}</bdi>
            <Heard meter={meter} />
          </span>
          {unknown > 0 && (
            <Badge tone="accent">
              {t('{count, plural, one {# unknown name} other {# unknown names}}', { count: unknown })}
            </Badge>
          )}
        </span>
      }
    >
      <div className="grid gap-5 pt-1">
        {meter.names.length > 0 && <MeterNames meter={meter} meterKey={meterKey} />}
        {meter.members.length > 0 && <Answers meter={meter} />}
        {silences.length > 0 && <Silences silences={silences} />}
        {meter.per_member ? (
          <p className="text-[14px] text-muted">{t('Each member makes their token on the Usage tab.')}</p>
        ) : (
          <>
            <SetUp meter={meter} meterKey={meterKey} token={token} />
            {meter.kind === 'sessions' && (
              <Disclosure className="-my-3" summary={<span className="font-semibold">{t('Import a file')}</span>}>
                <ImportFile assetId={assetId} meter={meter} />
              </Disclosure>
            )}
          </>
        )}
        <Disclosure className="-my-3" summary={<span className="font-semibold">{t('Settings [[meter]]')}</span>}>
          <MeterSettings meter={meter} meterKey={meterKey} />
        </Disclosure>
        <DeleteMeter name={meter.name} meterKey={meterKey} />
      </div>
    </Disclosure>
  );
}

/** When it was last heard of, and what came too late. */
function Heard({ meter }: { meter: Meter }) {
  const now = useNow();
  const { late_events: late } = meter;
  const heard = heardText(meter, now);
  return (
    <span className="figures block text-small text-muted">
      {heard !== undefined && <span className="block">{heard}</span>}
      {late > 0 && (
        <span className="block">
          {t('{count, plural, one {# event} other {# events}} came too late to count', { count: late })}
        </span>
      )}
    </span>
  );
}

/** When it sent nothing for a day or longer, lately. */
function Silences({ silences }: { silences: { since: string; until: string }[] }) {
  return (
    <div className="text-[14px]">
      <p className="font-semibold">{t('Gaps in the last 30 days')}</p>
      <ul role="list" className="figures mt-0.5 text-muted">
        {silences.map((silence) => (
          <SilenceItem key={silence.since} {...silence} />
        ))}
      </ul>
    </div>
  );
}

function SilenceItem({ since, until }: { since: string; until: string }) {
  const time = (text: ReactNode) => <time dateTime={since}>{text}</time>;
  return <li>{rich('<time>{start}</time>–{end}', { start: dateTimeText(since), end: dateTimeText(until), time })}</li>;
}

/** What its members said to it. */
function Answers({ meter: { members } }: { meter: Meter }) {
  const answers = [
    { title: t('Agreed to be recorded'), agreed: true },
    { title: t('Not answered yet'), agreed: null },
    { title: t('Said no'), agreed: false },
  ];
  return (
    <DefinitionList>
      {answers.map(({ title, agreed }) => {
        const names = members.flatMap((member) => (member.agreed === agreed ? member.username : []));
        return (
          names.length > 0 && (
            <Definition key={title} name={title}>
              <span dir="auto">{listFormat({ type: 'unit' }).format(names)}</span>
            </Definition>
          )
        );
      })}
    </DefinitionList>
  );
}

function SetUp({ meter, meterKey, token }: { meter: Meter; meterKey: MeterKey; token: string | null }) {
  // As it began: it doesn't close while someone follows it.
  const [wasSilent] = useState(meter.last_event_at === null);
  return (
    <Disclosure
      className="-my-3"
      open={wasSilent}
      summary={<span className="font-semibold">{t('Set up [[meter]]')}</span>}
    >
      <MeterSetUp name={meter.name} kind={meter.kind} first={token} make={useReplaceToken(meterKey)} />
    </Disclosure>
  );
}

function DeleteMeter({ name, meterKey }: { name: string; meterKey: MeterKey }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteMeter(meterKey);
  return (
    <>
      <Button
        look="outline"
        size="small"
        className="justify-self-start text-over-text!"
        onClick={() => setAsking(true)}
      >
        {t('Delete meter')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Delete {meter}?', { meter: name })}
          confirm={t('Delete')}
          busyText={t('Deleting...')}
          busy={remove.isPending}
          failure={remove.isError ? errorText(remove.error) || t("Couldn't delete it. Please try again.") : null}
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => announce(t('Meter deleted: {meter}', { meter: name })) })
          }
          onCancel={() => setAsking(false)}
        >
          <p>{t('What it recorded stays. What it is recording ends now.')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
