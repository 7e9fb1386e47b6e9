import { PaymentDetailsUpdate } from '@hourshare/contract/accounts';
import { type PaymentDetails as Details, type User } from '@hourshare/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { editedOnly, hasEdits, markSaved, requestResolver } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { refreshUser, updateMe } from './api.ts';

type Typed = Record<keyof Details, string>;

const orNull = (text: string) => (text.trim() === '' ? null : text);

const resolver = requestResolver(PaymentDetailsUpdate, ({ iban, link, text }: Typed) => ({
  iban: orNull(iban),
  link: orNull(link),
  text: orNull(text),
}));

const typedOf = ({ iban, link, text }: Details): Typed => ({
  iban: iban ?? '',
  link: link ?? '',
  text: text ?? '',
});

/** How others can pay the user. The browser doesn't store it, so it is unknown until the user has been read. */
export function PaymentDetails({
  user: { payment_details: details },
}: {
  user: Partial<Pick<User, 'payment_details'>>;
}) {
  const user = useQuery({
    queryKey: ['GET /api/me/'],
    queryFn: refreshUser,
    enabled: details === undefined,
    // Never stored: the user has it once it is read.
    gcTime: 0,
    retry: false,
  });
  const known = details ?? user.data?.payment_details;
  if (known) return <PaymentDetailsForm details={known} />;
  return user.isError ? (
    <Banner onRetry={() => void user.refetch()}>{t("Couldn't load your payment details.")}</Banner>
  ) : (
    <Spinner label={t('Loading payment details')} className="py-3" />
  );
}

function PaymentDetailsForm({ details }: { details: Details }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    values: typedOf(details),
    resetOptions: { keepDirtyValues: true },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { errors, isSubmitting, dirtyFields } = form.formState;
  useUnsaved(hasEdits(dirtyFields), { isSaving: isSubmitting });
  const field = (name: keyof Typed) => ({
    error: errors[name]?.message,
    autoComplete: 'off',
    ...form.register(name, { onChange: () => form.clearErrors(name) }),
  });

  const submit = form.handleSubmit(async (change) => {
    setFailure(null);
    const sent = form.getValues();
    try {
      const { payment_details: saved } = await updateMe({ payment_details: editedOnly(change, dirtyFields) });
      markSaved(form, sent, typedOf(saved));
      announce(t('Payment details saved.'));
    } catch {
      setFailure(t("Couldn't save your payment details. Please try again."));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label={t('IBAN')}
        spellCheck={false}
        hint={t('Amounts in euros also get a QR code for banking apps.')}
        {...field('iban')}
      />
      <TextField
        label={t('Link')}
        type="url"
        inputMode="url"
        placeholder="https://"
        hint={t('For example, your page at a payment service.')}
        {...field('link')}
      />
      <TextField label={t('Note [[payment]]')} hint={t('For example, a phone number to send to.')} {...field('text')} />
      <Button type="submit" busy={isSubmitting} busyText={t('Saving...')} className="justify-self-start">
        {t('Save payment details')}
      </Button>
    </form>
  );
}
