import type { User } from '@hourshare/contract/accounts';
import { useMemo, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { announce } from '../../lib/announcements.ts';
import { showFieldErrors } from '../../lib/form-errors.ts';
import { timeZones, zoneText } from '../../lib/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { TextField } from '../../ui/field.tsx';
import { SavedNote } from '../../ui/saved-note.tsx';
import { updateMe } from './api.ts';
import { emailProblem } from './rules.ts';

export function ProfileForm({ user }: { user: User }) {
  const [failure, setFailure] = useState<string | null>(null);
  const [saved, setSaved] = useState(false);
  const zones = useMemo(() => timeZones(user.time_zone), [user.time_zone]);
  const form = useForm({
    // What arrives from elsewhere fills the fields that nobody is typing in.
    values: { email: user.email, time_zone: user.time_zone },
    resetOptions: { keepDirtyValues: true },
    reValidateMode: 'onSubmit',
  });
  const { errors, isSubmitting } = form.formState;
  const edited = (name: 'email' | 'time_zone') => {
    form.clearErrors(name);
    setSaved(false);
  };

  const submit = form.handleSubmit(async ({ email, time_zone }) => {
    setFailure(null);
    setSaved(false);
    try {
      const changed = await updateMe({ email: email.trim(), time_zone });
      form.reset({ email: changed.email, time_zone: changed.time_zone });
      announce('Your profile has been saved.');
      setSaved(true);
    } catch (error) {
      if (!showFieldErrors(form, error, ['email', 'time_zone']))
        setFailure('Failed to save your profile. Please try again.');
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label="Username"
        value={user.username}
        readOnly
        hint="A username stays as it is: others share by it."
        className="border-line! bg-sunken!"
      />
      <TextField
        label="Email address"
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...form.register('email', { validate: emailProblem, onChange: () => edited('email') })}
      />
      <Controller
        control={form.control}
        name="time_zone"
        render={({ field }) => (
          <Combobox
            label="Time zone"
            value={field.value}
            options={zones}
            textOf={zoneText}
            error={errors.time_zone?.message}
            onChange={(zone) => {
              field.onChange(zone);
              edited('time_zone');
            }}
          />
        )}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" busy={isSubmitting} busyText="Saving...">
          Save Changes
        </Button>
        {saved && <SavedNote>Saved.</SavedNote>}
      </div>
    </form>
  );
}
