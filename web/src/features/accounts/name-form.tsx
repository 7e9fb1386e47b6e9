import { NameSignInRequest } from '@hourshare/contract/sign-ins';
import { DEVICE_NAME_MAX_LENGTH } from '@hourshare/contract/limits';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { markSaved, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';

interface Typed {
  name: string;
}

const resolver = requestResolver(NameSignInRequest, ({ name }: Typed) => ({
  name: name.trim() === '' ? null : name,
}));

interface NameFormProps {
  label: string;
  name: string | null;
  /** Sends the name, which is null if the field is empty. */
  save: (name: string | null) => Promise<unknown>;
  onDone: () => void;
}

/** The field for the user's name of a device or a passkey. */
export function NameForm({ label, name: known, save, onDone }: NameFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { name: known ?? '' }, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting, isDirty } = form.formState;
  const { finish } = useUnsaved(isDirty, { isSaving: isSubmitting, onSaved: onDone });
  const { setFocus } = form;
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus]);
  const submit = form.handleSubmit(async ({ name }) => {
    setFailure(null);
    const sent = form.getValues();
    try {
      await save(name);
      markSaved(form, sent);
      finish();
    } catch (error) {
      if (!showFieldErrors(form, error, ['name']))
        setFailure(errorText(error) || t("Couldn't save the name. Please try again."));
    }
  });
  return (
    <form noValidate className="grid max-w-md basis-full gap-3 py-1" onSubmit={(event) => void submit(event)}>
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label={label}
        hint={t('Leave it empty to remove the name.')}
        autoComplete="off"
        maxLength={DEVICE_NAME_MAX_LENGTH}
        error={errors.name?.message}
        {...form.register('name', { onChange: () => form.clearErrors() })}
      />
      <div className="flex gap-2">
        <Button type="submit" size="small" busy={isSubmitting} busyText={t('Saving...')}>
          {t('Save')}
        </Button>
        <Button look="outline" size="small" onClick={onDone}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
