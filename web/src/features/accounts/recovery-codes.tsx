import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { announce } from '../../ui/toasts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { saveFile } from '../../platform/http/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { copyText } from '../../ui/copy-field.tsx';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.tsx';

interface RecoveryCodesProps {
  codes: string[];
  username: string;
  onClose: () => void;
}

/** New recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, username, onClose }: RecoveryCodesProps) {
  const [isLeaving, setLeaving] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const list = useRef<HTMLTextAreaElement>(null);
  useEffect(() => list.current?.focus(), []);
  const text = codes.join('\n');
  const copy = async () => {
    const done = await copyText(text, list.current);
    setCopied(done);
    announce(done ? t('Codes copied.') : t("Couldn't copy them. Select the codes and copy them yourself."), {
      failed: !done,
    });
  };
  const download = () => {
    const lines = [t('HourShare recovery codes for {username}', { username }), window.location.origin, '', ...codes];
    saveFile({
      name: 'hourshare-recovery-codes.txt',
      content: new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/plain;charset=utf-8' }),
    });
  };
  return (
    <Dialog title={t('Save your recovery codes')} onClose={() => setLeaving(true)}>
      <DialogBody>
        <p>
          {t(
            "If you lose your authenticator app, each of these signs you in once. Keep them somewhere you can reach without it, such as in a password manager or on paper. They're shown only once.",
          )}
        </p>
        {/* In a window of 320 px, a code fits into its line with this padding and no more. */}
        <textarea
          ref={list}
          readOnly
          dir="ltr"
          aria-label={t('Recovery codes')}
          rows={codes.length}
          value={text}
          className="figures mt-4 block w-full resize-none rounded-control border border-line-field bg-sunken p-2.5 font-mono text-[15px] leading-7"
        />
        <div className="mt-3 flex flex-wrap gap-2.5">
          <Button
            look="outline"
            icon={isCopied ? <Check aria-hidden size={17} /> : <Copy aria-hidden size={17} />}
            onClick={() => void copy()}
          >
            {isCopied ? t('Copied') : t('Copy')}
          </Button>
          <Button look="outline" icon={<Download aria-hidden size={17} />} onClick={download}>
            {t('Download [[recovery codes]]')}
          </Button>
        </div>
        <DialogButtons>
          <Button onClick={onClose}>{t("I've saved them")}</Button>
        </DialogButtons>
      </DialogBody>
      {isLeaving && (
        <ConfirmDialog
          title={t('Close without saving the codes?')}
          confirm={t('Close [[dialog]]')}
          cancel={t('Back')}
          onConfirm={onClose}
          onCancel={() => setLeaving(false)}
        >
          <p>{t("They can't be shown again. You can make new ones anytime while you're signed in.")}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}
