import { Share2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';

const QrCode = lazy(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }));

interface MadeLinkProps {
  headingId: string;
  link: string;
  /** For the system's sheet. */
  title: string;
  label: string;
  expiresAt: string;
  onDone: () => void;
}

/** A link that was just made, which is shown once. */
export function MadeLink({ headingId, link: made, title, label, expiresAt, onDone }: MadeLinkProps) {
  const box = useRef<HTMLDivElement>(null);
  // The button that made it is gone.
  useEffect(() => box.current?.focus(), []);
  // Behind a server that doesn't know its own address, the link is a path.
  const link = new URL(made, window.location.href).href;
  const shareLink = async () => {
    try {
      await navigator.share({ title, url: link });
    } catch {
      // Closing the system's sheet counts as a failure.
    }
  };
  return (
    <div ref={box} tabIndex={-1} role="group" aria-labelledby={headingId} className="mt-3 outline-none">
      <CopyField
        label={label}
        value={link}
        hint={t('Expires {when}. It is shown only now; you can create another one anytime.', {
          when: momentText(expiresAt),
        })}
      />
      <Disclosure summary={t('Show QR code')} className="mt-1">
        <div className="max-w-60 overflow-clip rounded-control border border-line">
          <Suspense fallback={<div className="aspect-square" />}>
            <QrCode text={link} label={t('QR code of the link')} />
          </Suspense>
        </div>
      </Disclosure>
      <div className="mt-2 flex flex-wrap gap-2.5">
        {'share' in navigator && (
          <Button look="outline" size="small" icon={<Share2 aria-hidden size={16} />} onClick={() => void shareLink()}>
            {t('Send link')}
          </Button>
        )}
        <Button look="quiet" size="small" className={'share' in navigator ? '' : '-ms-3'} onClick={onDone}>
          {t('Done [[link]]')}
        </Button>
      </div>
    </div>
  );
}
