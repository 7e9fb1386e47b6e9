import {
  NewPaymentMethod,
  PAYMENT_KINDS,
  type PaymentKind,
  type PaymentMethod,
} from '@hourshare/contract/payment-methods';
import { PAYMENT_METHODS_MAX } from '@hourshare/contract/limits';
import type { User } from '@hourshare/contract/users';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { requestResolver } from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { announce } from '../../ui/toasts.ts';
import { refreshUser, updateMe } from './api.ts';
import { groupIban, paymentKindNames } from './payment-text.ts';

/** How others can pay the user. The browser doesn't store it, so it is unknown until the user has been read. */
export function PaymentMethods({ user: { payment_details: known } }: { user: Partial<Pick<User, 'payment_details'>> }) {
  const user = useQuery({
    queryKey: ['GET /api/me/'],
    queryFn: refreshUser,
    enabled: known === undefined,
    // Never stored: the user has it once it is read.
    gcTime: 0,
    retry: false,
  });
  const { methods } = known ?? user.data?.payment_details ?? {};
  if (methods) return <MethodList methods={methods} />;
  return user.isError ? (
    <Banner onRetry={() => void user.refetch()}>{t("Couldn't load your payment details.")}</Banner>
  ) : (
    <Spinner label={t('Loading payment details')} className="py-3" />
  );
}

/** The request that keeps a method as it is. */
const kept = (method: PaymentMethod): NewPaymentMethod => NewPaymentMethod.parse(method);

function MethodList({ methods }: { methods: PaymentMethod[] }) {
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<PaymentMethod | null>(null);
  const [failed, setFailed] = useState(false);
  const add = useRef<HTMLButtonElement>(null);

  const save = async (next: NewPaymentMethod[]) => {
    setFailed(false);
    try {
      await updateMe({ payment_details: { methods: next } });
      return true;
    } catch {
      setFailed(true);
      return false;
    }
  };
  const remove = async (method: PaymentMethod) => {
    setRemoving(method);
    if (await save(methods.filter((each) => each !== method).map(kept))) {
      announce(t('Removed.'), { undo: () => void save(methods.map(kept)) });
      add.current?.focus();
    }
    setRemoving(null);
  };

  return (
    <div className="grid gap-3">
      {failed && <Banner>{t("Couldn't save your payment details. Please try again.")}</Banner>}
      {methods.length > 0 && (
        <ul role="list" className="divide-y divide-line">
          {methods.map((method, index) => (
            <li key={index} className="flex min-h-13 items-center gap-2 py-1.5">
              <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <p className="font-semibold">{paymentKindNames[method.kind]()}</p>
                <p className="figures text-[13.5px] text-muted" dir="auto">
                  {[method.kind === 'iban' ? groupIban(method.value) : method.value, method.holder, method.town]
                    .filter((text) => text !== null)
                    .join(' · ')}
                </p>
              </div>
              <Button
                look="plain"
                className="-me-2 px-3!"
                aria-label={t('Remove {what}', { what: paymentKindNames[method.kind]() })}
                busy={removing === method}
                onClick={() => void remove(method)}
              >
                <X aria-hidden size={18} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <NewMethod
          onAdd={async (method) => {
            const isSaved = await save([...methods.map(kept), method]);
            if (isSaved) {
              setAdding(false);
              announce(t('Payment details saved.'));
            }
          }}
          onCancel={() => setAdding(false)}
        />
      ) : (
        methods.length < PAYMENT_METHODS_MAX && (
          <Button
            ref={add}
            look={methods.length === 0 ? 'primary' : 'outline'}
            className="justify-self-start"
            onClick={() => setAdding(true)}
          >
            {t('Add a way to get paid')}
          </Button>
        )
      )}
    </div>
  );
}

interface Typed {
  kind: PaymentKind;
  value: string;
  holder: string;
  town: string;
}

const orNull = (text: string) => (text.trim() === '' ? null : text);
const hasAccount = (kind: PaymentKind) => kind === 'iban' || kind === 'pix';

const resolver = requestResolver(NewPaymentMethod, ({ kind, value, holder, town }: Typed) => ({
  kind,
  value,
  ...(hasAccount(kind) && { holder: orNull(holder), town: orNull(town) }),
}));

/** What is entered for a kind, and a word on it. */
function labelOf(kind: PaymentKind): { label: string; hint?: string } {
  switch (kind) {
    case 'iban':
      return { label: t('IBAN'), hint: t('With a QR code in euros and in francs.') };
    case 'paypal':
      return { label: t('PayPal.Me name') };
    case 'upi':
      return { label: t('UPI ID') };
    case 'pix':
      return { label: t('Pix key') };
    case 'swish':
    case 'phone':
      return { label: t('Phone number') };
    case 'link':
      return { label: t('Link'), hint: t("'{amount}', '{currency}', and '{reference}' are filled in.") };
    case 'note':
      return { label: t('Note [[payment]]') };
    default:
      return { label: t('Username') };
  }
}

interface NewMethodProps {
  onAdd: (method: NewPaymentMethod) => Promise<void>;
  onCancel: () => void;
}

function NewMethod({ onAdd, onCancel }: NewMethodProps) {
  const form = useForm<Typed, unknown, NewPaymentMethod>({
    defaultValues: { kind: 'iban', value: '', holder: '', town: '' },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  const kind = useWatch({ control: form.control, name: 'kind' });
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const field = (name: 'value' | 'holder' | 'town') => ({
    error: errors[name]?.message,
    autoComplete: 'off',
    ...form.register(name, { onChange: () => form.clearErrors(name) }),
  });
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(onAdd)(event)} className="grid gap-4">
      <Select
        label={t('Kind')}
        value={kind}
        options={PAYMENT_KINDS.map((each) => ({ value: each, text: paymentKindNames[each]() }))}
        onChange={(next) => {
          form.setValue('kind', PAYMENT_KINDS.find((each) => each === next) ?? kind);
          form.clearErrors();
        }}
      />
      <TextField
        {...labelOf(kind)}
        spellCheck={false}
        {...(kind === 'link' && { type: 'url', inputMode: 'url', placeholder: 'https://' })}
        {...((kind === 'phone' || kind === 'swish') && { type: 'tel' })}
        {...field('value')}
      />
      {hasAccount(kind) && (
        <>
          <TextField label={t('Account holder')} {...field('holder')} />
          <TextField
            label={kind === 'pix' ? t('Town') : t('Postal code and town')}
            {...(kind === 'iban' && { hint: t('Only for the Swiss QR code.') })}
            {...field('town')}
          />
        </>
      )}
      <div className="flex gap-2.5">
        <Button type="submit" busy={isSubmitting} busyText={t('Saving...')}>
          {t('Add')}
        </Button>
        <Button look="outline" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
