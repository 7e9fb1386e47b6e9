import { UpdateMeRequest } from '@hourshare/contract/accounts';
import { type User } from '@hourshare/contract/users';
import { useMemo, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { hasEdits, markSaved, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { timeZones, zoneText } from '../../platform/format/time.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { TextField } from '../../ui/field.tsx';
import { CurrentPassword } from './current-password.tsx';
import { PendingEmail } from './pending-email.tsx';
import { UnconfirmedEmail } from './unconfirmed-email.tsx';
import { updateMe } from './api.ts';

interface Typed {
  email: string;
  time_zone: string;
  /** Null if a passkey was used instead, or if the account has no password. */
  current_password: string | null;
}

/** The password is sent only when the email address changes. */
const resolverFor = (user: User) =>
  requestResolver(UpdateMeRequest, ({ email, time_zone, current_password }: Typed) => ({
    time_zone,
    ...(email.trim() !== user.email && {
      email: email.trim(),
      ...(current_password !== null && { current_password }),
    }),
  }));

export function ProfileForm({ user }: { user: User }) {
  const [failure, setFailure] = useState<string | null>(null);
  const zones = useMemo(() => timeZones(user.time_zone), [user.time_zone]);
  const form = useForm<Typed, unknown, UpdateMeRequest>({
    // A change on another device updates the fields that aren't being edited.
    values: { email: user.email, time_zone: user.time_zone, current_password: '' },
    resetOptions: { keepDirtyValues: true },
    reValidateMode: 'onSubmit',
    resolver: resolverFor(user),
  });
  const { errors, isSubmitting, dirtyFields } = form.formState;
  useUnsaved(hasEdits(dirtyFields), { isSaving: isSubmitting });
  const [email, current] = useWatch({ control: form.control, name: ['email', 'current_password'] });
  const changesEmail = email.trim() !== user.email;
  const handleEdit = (name: 'email' | 'time_zone' | 'current_password') => form.clearErrors(name);

  const submit = form.handleSubmit(async ({ time_zone, ...address }) => {
    setFailure(null);
    const sent = form.getValues();
    const change = { ...address, ...(dirtyFields.time_zone && { time_zone }) };
    try {
      const changed = await updateMe(change);
      markSaved(form, sent, { email: changed.email, time_zone: changed.time_zone, current_password: '' });
      announce(
        'email' in change && changed.email_change
          ? t('Profile saved. Your email address changes once you open the link sent to {email}.', {
              email: changed.email_change.email,
            })
          : t('Profile saved.'),
      );
    } catch (error) {
      if (!showFieldErrors(form, error, ['email', 'time_zone', 'current_password']))
        setFailure(errorText(error) || t("Couldn't save your profile. Please try again."));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      {/* Tells password managers which account the password is for. */}
      <input hidden readOnly autoComplete="username" value={user.username} />
      <TextField
        label={t('Email address')}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...form.register('email', { onChange: () => handleEdit('email') })}
      />
      {user.email_change && user.email_change.email !== user.email && (
        <PendingEmail
          email={user.email_change.email}
          until={user.email_change.expires_at}
          onCancel={() => form.setFocus('email')}
        />
      )}
      {!user.email_confirmed && <UnconfirmedEmail email={user.email} />}
      {changesEmail && (
        <fieldset className="m-0 border-0 p-0">
          <legend className="sr-only">{t('Change email address')}</legend>
          <CurrentPassword
            value={current}
            onChoose={(value) => form.resetField('current_password', { defaultValue: value })}
            hint={t('Required to change your email address.')}
            error={errors.current_password?.message}
            {...form.register('current_password', { onChange: () => handleEdit('current_password') })}
          />
        </fieldset>
      )}
      <Controller
        control={form.control}
        name="time_zone"
        render={({ field }) => (
          <Combobox
            label={t('Time zone')}
            value={field.value}
            options={zones}
            getLabel={zoneText}
            error={errors.time_zone?.message}
            onChange={(zone) => {
              field.onChange(zone);
              handleEdit('time_zone');
            }}
          />
        )}
      />
      <Button type="submit" busy={isSubmitting} busyText={t('Saving...')} className="justify-self-start">
        {t('Save Changes')}
      </Button>
    </form>
  );
}
