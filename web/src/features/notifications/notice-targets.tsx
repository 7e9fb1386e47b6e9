import type { CreatedNoticeTarget, NoticeTarget } from '@hourshare/contract/notifications';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TargetForm } from './target-form.tsx';
import { formatName } from './target-text.ts';
import { useChangeTarget, useNoticeTargets, useRemoveTarget } from './targets-api.ts';

/** Where else the user's notices are sent, with actions to add and remove places. */
export function NoticeTargets({ labelledBy }: { labelledBy: string }) {
  const targets = useNoticeTargets();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      {targets.isPending && <Spinner label={t('Loading')} className="py-3" />}
      {targets.isError && !targets.data && (
        <Banner onRetry={() => void targets.refetch()}>{t("Couldn't load where else they go.")}</Banner>
      )}
      {targets.data && targets.data.length > 0 && (
        <ul role="list" aria-labelledby={labelledBy} className="mb-4 divide-y divide-line border-y border-line">
          {targets.data.map((target) => (
            <Target key={target.id} target={target} />
          ))}
        </ul>
      )}
      <Button look="outline" size="small" onClick={() => setAdding(true)}>
        {t('Add [[place for notifications]]')}
      </Button>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function Target({ target: { id, format, host, kinds, off_since: off } }: { target: NoticeTarget }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useRemoveTarget();
  const change = useChangeTarget();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <Send aria-hidden size={20} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 basis-48">
        <span className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
          <bdi>{host}</bdi>
          {off !== null && <Badge>{t('Off: it failed for 3 days')}</Badge>}
        </span>
        <span className="block text-[13px] text-muted">
          {t('{format}, {count, plural, one {# kind} other {# kinds}}', {
            format: formatName(format),
            count: kinds.length,
          })}
        </span>
      </span>
      {off !== null && (
        <Button look="plain" size="small" busy={change.isPending} onClick={() => change.mutate({ id, on: true })}>
          {t('Turn on [[place for notifications]]')}
        </Button>
      )}
      <Button look="plain" size="small" className="-me-3 max-sm:-ms-3" onClick={() => setAsking(true)}>
        {rich('Remove<hidden> {host}</hidden>', { host, hidden })}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Stop sending to {host}?', { host })}
          confirm={t('Remove [[place for notifications]]')}
          busyText={t('Removing...')}
          busy={remove.isPending}
          failure={remove.isError ? errorText(remove.error) || t("Couldn't remove it. Please try again.") : null}
          onConfirm={() => remove.mutate(id)}
          onCancel={() => setAsking(false)}
        />
      )}
    </li>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CreatedNoticeTarget | null>(null);
  return (
    <Dialog title={t('Send elsewhere')} onClose={onClose}>
      <DialogBody>
        {made?.secret ? (
          <div className="grid gap-4">
            <CopyField
              label={t('Secret that signs each request')}
              value={made.secret}
              hint={t('Copy it now: it is shown only once.')}
            />
            <Button look="outline" size="small" className="justify-self-start" onClick={onClose}>
              {t('Done [[place for notifications]]')}
            </Button>
          </div>
        ) : (
          <TargetForm onAdded={(added) => (added.secret === null ? onClose() : setMade(added))} onCancel={onClose} />
        )}
      </DialogBody>
    </Dialog>
  );
}
