import {
  NewPaymentMethod,
  PAYMENT_KINDS,
  type PaymentKind,
  type PaymentMethod,
} from '@hourshare/contract/payment-methods';
import { PAYMENT_METHODS_MAX } from '@hourshare/contract/limits';
import type { User } from '@hourshare/contract/users';
import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { requestResolver } from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { focusOnMount, keepFocusInPage } from '../../ui/focus.ts';
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

type Change = (methods: PaymentMethod[]) => (PaymentMethod | NewPaymentMethod)[];

const isSame = (a: PaymentMethod, b: PaymentMethod) =>
  a.kind === b.kind && a.value === b.value && a.holder === b.holder && a.town === b.town;

const countSame = (methods: PaymentMethod[], method: PaymentMethod): number =>
  methods.filter((each) => isSame(each, method)).length;

const valueText = ({ kind, value }: PaymentMethod) => (kind === 'iban' ? groupIban(value) : value);

const failureText = (error: unknown): string =>
  error instanceof ApiError && error.status === 400
    ? errorText(error)
    : t("Couldn't save your payment details. Please try again.");

function useChange() {
  return useMutation({
    // One after the other: each change starts from what the one before has left.
    scope: { id: 'me' },
    mutationFn: async (change: Change) => {
      // Another device may have changed them since they were shown.
      const { methods } = (await refreshUser()).payment_details;
      await updateMe({ payment_details: { methods: change(methods).map((each) => NewPaymentMethod.parse(each)) } });
    },
  });
}

function MethodList({ methods }: { methods: PaymentMethod[] }) {
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<PaymentMethod | null>(null);
  const save = useChange();
  const restore = useChange();
  const isSaving = save.isPending || restore.isPending;
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const findButton = (index: number) => list.current?.querySelectorAll<HTMLElement>('li button')[index];

  const undo = async (method: PaymentMethod, index: number) => {
    try {
      await restore.mutateAsync((saved) =>
        countSame(saved, method) < countSame(methods, method) ? saved.toSpliced(index, 0, method) : saved,
      );
    } catch (error) {
      announce(failureText(error), { failed: true });
    }
  };
  const remove = async (method: PaymentMethod, index: number) => {
    setRemoving(method);
    try {
      await save.mutateAsync((saved) => {
        const first = saved.findIndex((each) => isSame(each, method));
        return saved.filter((_, place) => place !== first);
      });
      announce(t('Removed.'), { undo: () => void undo(method, index) });
      keepFocusInPage(() => findButton(index) ?? add.current ?? findButton(index - 1) ?? null);
    } catch {
      // Shown above the list.
    }
    setRemoving(null);
  };
  const closeForm = () => {
    setAdding(false);
    keepFocusInPage(() => add.current ?? findButton(methods.length) ?? findButton(methods.length - 1) ?? null);
  };

  return (
    <div className="grid gap-3">
      {save.isError && <Banner>{failureText(save.error)}</Banner>}
      {methods.length > 0 && (
        <ul ref={list} role="list" className="divide-y divide-line">
          {methods.map((method, index) => (
            <li key={`${index} ${method.value}`} className="flex min-h-13 items-center gap-2 py-1.5">
              <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <p className="font-semibold">{paymentKindNames[method.kind]()}</p>
                <p className="figures text-[13.5px] text-muted" dir="auto">
                  {[valueText(method), method.holder, method.town].filter((text) => text !== null).join(' · ')}
                </p>
              </div>
              <Button
                look="plain"
                className="-me-2 px-3!"
                aria-label={t('Remove {what}', { what: `${paymentKindNames[method.kind]()} ${valueText(method)}` })}
                busy={removing === method}
                aria-disabled={isSaving || undefined}
                onClick={() => !isSaving && void remove(method, index)}
              >
                <X aria-hidden size={18} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <NewMethod
          isSaving={isSaving}
          onAdd={async (method) => {
            try {
              await save.mutateAsync((saved) => [...saved, method]);
              closeForm();
              announce(t('Payment details saved.'));
            } catch {
              // Shown above the list.
            }
          }}
          onCancel={closeForm}
        />
      ) : methods.length < PAYMENT_METHODS_MAX ? (
        <Button
          ref={add}
          look={methods.length === 0 ? 'primary' : 'outline'}
          className="justify-self-start"
          onClick={() => setAdding(true)}
        >
          {t('Add a way to get paid')}
        </Button>
      ) : (
        <p className="text-small text-muted">
          {t('You can add up to {max} ways to get paid', { max: PAYMENT_METHODS_MAX })}
        </p>
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
  /** Whether a change is being saved, also one of the list. */
  isSaving: boolean;
  onAdd: (method: NewPaymentMethod) => Promise<void>;
  onCancel: () => void;
}

function NewMethod({ isSaving, onAdd, onCancel }: NewMethodProps) {
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
        ref={focusOnMount}
        label={t('Method')}
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
        <Button type="submit" busy={isSaving || isSubmitting} busyText={t('Saving...')}>
          {t('Add')}
        </Button>
        <Button look="outline" disabled={isSubmitting} onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
