import type { PaymentDetails } from '@hourshare/contract/users';
import { Check, Copy } from 'lucide-react';
import { lazy, Suspense, useState, type ComponentType } from 'react';
import { announce } from '../../ui/toasts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { textLink } from '../../ui/text-link.ts';
import { epcText } from './epc.ts';

const QrCode = lazy(async (): Promise<{ default: ComponentType<{ text: string; label: string }> }> => {
  try {
    return { default: (await import('../../ui/qr-code.tsx')).QrCode };
  } catch {
    // Without it, the details are still there to copy.
    return { default: () => null };
  }
});

/** 'DE89370400440532013000' → "DE89 3704 0044 0532 0130 00" */
const groupIban = (iban: string) => iban.replace(/(.{4})(?=.)/g, '$1 ');

interface HowToPayProps {
  name: string;
  details: PaymentDetails;
  /** Undefined while none is typed that could be paid. */
  amount: number | undefined;
  currency: string;
  reference: string;
}

/** How to pay someone: what they have filled in, each with a button that copies it, and a code for banking apps. */
export function HowToPay({ name, details: { iban, link, text }, amount, currency, reference }: HowToPayProps) {
  const hasCode = iban !== null && currency === 'EUR' && amount !== undefined;
  return (
    <section aria-label={t('How to pay {name}', { name })} className="rounded-control bg-sunken px-3.5 py-3 text-ink">
      <h3 className="text-[14px] font-semibold">{t('How to pay {name}', { name })}</h3>
      <div className="mt-1 grid gap-y-3">
        <dl className="min-w-0 divide-y divide-line">
          {iban !== null && <Detail name={t('IBAN')} text={groupIban(iban)} copied={iban} />}
          {iban !== null && <Detail name={t('Reference [[payment]]')} text={reference} />}
          {link !== null && <Detail name={t('Link')} text={link} isLink />}
          {text !== null && <Detail name={t('Note [[payment]]')} text={text} />}
        </dl>
        {hasCode && (
          <div className="text-center">
            <div className="mx-auto size-44 overflow-hidden rounded-control border border-line">
              <Suspense>
                <QrCode text={epcText({ name, iban, amount, reference })} label={t('QR code for banking apps')} />
              </Suspense>
            </div>
            <p className="mt-1 text-[13px] text-muted">{t('Scan with your banking app.')}</p>
          </div>
        )}
      </div>
    </section>
  );
}

interface DetailProps {
  name: string;
  text: string;
  /** What is copied, if it differs. */
  copied?: string;
  isLink?: boolean;
}

function Detail({ name, text, copied = text, isLink = false }: DetailProps) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(copied);
      setIsCopied(true);
      announce(t('Copied.'));
    } catch {
      announce(t("Couldn't copy. Select the text and copy it yourself."), { failed: true });
    }
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 py-1">
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="row-start-2 min-w-0 text-[14.5px] [overflow-wrap:anywhere]" dir="auto">
        {isLink ? (
          <a href={text} target="_blank" rel="noreferrer" className={textLink}>
            {text}
          </a>
        ) : (
          text
        )}
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <Button look="quiet" size="small" aria-label={t('Copy {what}', { what: name })} onClick={() => void copy()}>
          <Icon aria-hidden size={16} />
          <span className="max-sm:sr-only">{t('Copy')}</span>
        </Button>
      </dd>
    </div>
  );
}
