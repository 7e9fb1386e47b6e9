import type { PaymentKind, PaymentMethod } from '@hourshare/contract/payment-methods';
import {
  Check,
  Copy,
  ExternalLink,
  Landmark,
  type LucideIcon,
  Phone,
  QrCode as QrCodeIcon,
  StickyNote,
} from 'lucide-react';
import { lazy, Suspense, useId, useState, type ComponentProps, type ComponentType } from 'react';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import type { QrCode as LoadedCode } from '../../ui/qr-code.tsx';
import { announce } from '../../ui/toasts.ts';
import { groupIban, paymentKindNames } from '../accounts/payment-text.ts';
import { wayToPay } from './ways-to-pay.ts';

const QrCode = lazy(async (): Promise<{ default: ComponentType<ComponentProps<typeof LoadedCode>> }> => {
  try {
    return { default: (await import('../../ui/qr-code.tsx')).QrCode };
  } catch {
    // Without it, the details are still there to copy.
    return { default: () => null };
  }
});

const ICONS: Partial<Record<PaymentKind, LucideIcon>> = {
  iban: Landmark,
  pix: QrCodeIcon,
  phone: Phone,
  note: StickyNote,
};

interface HowToPayProps {
  name: string;
  methods: PaymentMethod[];
  /** Undefined while none is typed that could be paid. */
  amount: number | undefined;
  currency: string;
  reference: string;
  /** Called when a page or an app is opened to pay there. */
  onOpen: () => void;
}

/** How to pay someone: what they have filled in, each with what opens or copies it, and codes for other devices. */
export function HowToPay({ name, methods, amount, currency, reference, onOpen }: HowToPayProps) {
  const id = useId();
  const ways = methods.flatMap((method) => {
    const way = wayToPay(method, { name, amount, currency, reference });
    return way === null ? [] : [{ method, way }];
  });
  if (ways.length === 0) return null;
  const firstCode = ways.findIndex(({ way }) => way.code !== undefined);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-2.5 font-semibold">
        {t('How {name} gets paid', { name })}
      </h3>
      <ul role="list" className="divide-y divide-line rounded-card border border-line bg-surface px-4">
        {ways.map(({ method, way }, index) => (
          <Way
            key={index}
            method={method}
            way={way}
            reference={method.kind === 'iban' ? reference : null}
            isSwiss={currency === 'CHF'}
            startsOpen={index === firstCode}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </section>
  );
}

interface WayProps {
  method: PaymentMethod;
  way: NonNullable<ReturnType<typeof wayToPay>>;
  /** What a bank should be told, if it isn't in a link. */
  reference: string | null;
  isSwiss: boolean;
  startsOpen: boolean;
  onOpen: () => void;
}

function Way({ method, way, reference, isSwiss, startsOpen, onOpen }: WayProps) {
  const { kind, value, holder } = method;
  // A phone can't scan its own screen.
  const [hasCode, setHasCode] = useState(() => startsOpen && window.matchMedia('(min-width: 48rem)').matches);
  const id = useId();
  const Icon = ICONS[kind] ?? ExternalLink;
  const title = kind === 'link' ? new URL(way.link ?? value).host : paymentKindNames[kind]();
  const { link } = way;
  return (
    <li className="py-3">
      <div className="flex items-center gap-3">
        <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken text-accent-text">
          <Icon aria-hidden size={19} />
        </span>
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <p className="font-semibold" dir="auto">
            {title}
          </p>
          {kind !== 'link' && (
            <p className="figures text-[13.5px] text-muted" dir="auto">
              {kind === 'iban' ? groupIban(value) : value}
            </p>
          )}
          {holder !== null && (
            <p className="text-[13.5px] text-muted" dir="auto">
              {holder}
            </p>
          )}
          {way.takesAmount && <p className="text-[13.5px] text-muted">{t('Amount filled in')}</p>}
        </div>
        <div className="flex shrink-0 gap-1.5">
          {way.code !== undefined && (
            <Button
              look="quiet"
              size="small"
              aria-expanded={hasCode}
              aria-controls={hasCode ? id : undefined}
              aria-label={t('QR code for {what}', { what: title })}
              className="px-2.5!"
              onClick={() => setHasCode(!hasCode)}
            >
              <QrCodeIcon aria-hidden size={18} />
            </Button>
          )}
          {link !== undefined && (
            <a
              href={link}
              // An app needs no tab of its own.
              {...(link.startsWith('https:') && { target: '_blank' })}
              rel="noreferrer"
              onClick={onOpen}
              className={buttonClasses('outline', 'small')}
            >
              {rich('Open<hidden> {what}</hidden>', { what: title, hidden })}
            </a>
          )}
          {link === undefined && way.copied !== undefined && <CopyButton what={title} text={way.copied} />}
        </div>
      </div>
      {reference !== null && (
        <div className="mt-2 flex items-center gap-3 ps-12">
          <p className="min-w-0 flex-1 text-[13.5px] text-balance text-muted [overflow-wrap:anywhere]">{reference}</p>
          <CopyButton what={t('Reference [[payment]]')} text={reference} look="quiet" />
        </div>
      )}
      {hasCode && way.code !== undefined && (
        <div id={id} className="mt-3 text-center">
          <div className="mx-auto size-44 overflow-hidden rounded-control border border-line">
            <Suspense>
              <QrCode text={way.code} label={t('QR code for {what}', { what: title })} isSwiss={isSwiss} />
            </Suspense>
          </div>
          <p className="mt-1 text-[13px] text-muted">{t('Scan with your banking app.')}</p>
        </div>
      )}
    </li>
  );
}

function CopyButton({ what, text, look = 'outline' }: { what: string; text: string; look?: 'outline' | 'quiet' }) {
  const [copied, setCopied] = useState<string | null>(null);
  // An amount in it may have changed since.
  const isCopied = copied === text;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
      announce(t('Copied.'));
    } catch {
      announce(t("Couldn't copy. Select the text and copy it yourself."), { failed: true });
    }
  };
  const Icon = isCopied ? Check : Copy;
  const texts = { what, hidden };
  return (
    <Button look={look} size="small" icon={<Icon aria-hidden size={16} />} onClick={() => void copy()}>
      <span className={look === 'quiet' ? 'sr-only' : undefined}>
        {isCopied ? rich('Copied<hidden> {what}</hidden>', texts) : rich('Copy<hidden> {what}</hidden>', texts)}
      </span>
    </Button>
  );
}
