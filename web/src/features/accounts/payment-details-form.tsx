import { PaymentDetailsUpdate, type PaymentDetails, type User } from '@hourshare/contract/accounts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { announce } from '../../lib/announcements.ts';
import { hasEdits, markSaved, requestResolver } from '../../lib/forms.ts';
import { t } from '../../lib/messages.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { updateMe } from './api.ts';

type Typed = Record<keyof PaymentDetails, string>;

const orNull = (text: string) => (text.trim() === '' ? null : text);

const resolver = requestResolver(PaymentDetailsUpdate, ({ iban, link, text }: Typed) => ({
  iban: orNull(iban),
  link: orNull(link),
  text: orNull(text),
}));

/** A user that an earlier version stored in this browser has none until it is read again. */
const typedOf = ({ payment_details: details }: Partial<Pick<User, 'payment_details'>>): Typed => ({
  iban: details?.iban ?? '',
  link: details?.link ?? '',
  text: details?.text ?? '',
});

/** How others can pay the user. */
export function PaymentDetailsForm({ user }: { user: User }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    values: typedOf(user),
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
      markSaved(form, sent, typedOf(await updateMe({ payment_details: change })));
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
        {t('Save Payment Details')}
      </Button>
    </form>
  );
}
