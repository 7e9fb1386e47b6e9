import {
  CreateNoticeTargetRequest,
  type CreatedNoticeTarget,
  type NoticeKind,
  type TargetFormat,
} from '@hourshare/contract/notifications';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { kindGroups, kindTexts } from './kinds-text.ts';
import { exampleAddresses, formatName } from './target-text.ts';
import { useAddTarget } from './targets-api.ts';

interface Typed {
  format: TargetFormat;
  address: string;
  token: string;
  kinds: NoticeKind[];
  amounts: boolean;
}

const takesToken = (format: TargetFormat) => format === 'ntfy' || format === 'gotify';

const resolver = requestResolver(CreateNoticeTargetRequest, ({ token, address, ...typed }: Typed) => ({
  ...typed,
  address: address.trim(),
  ...(takesToken(typed.format) && token.trim() !== '' && { token: token.trim() }),
}));

const FORMATS: readonly TargetFormat[] = ['ntfy', 'gotify', 'slack', 'json'];

interface TargetFormProps {
  onAdded: (added: CreatedNoticeTarget) => void;
  onCancel: () => void;
}

/** Where notices are to be sent, and which. */
export function TargetForm({ onAdded, onCancel }: TargetFormProps) {
  const add = useAddTarget();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Typed, unknown, CreateNoticeTargetRequest>({
    defaultValues: {
      format: 'ntfy',
      address: '',
      token: '',
      kinds: kindGroups.flatMap(({ kinds }) => kinds),
      amounts: false,
    },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const { format = 'ntfy', kinds = [], amounts = false } = useWatch({ control: form.control });
  const choose = (changed: readonly NoticeKind[], checked: boolean) =>
    form.setValue('kinds', [...kinds.filter((kind) => !changed.includes(kind)), ...(checked ? changed : [])], {
      shouldDirty: true,
    });
  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    try {
      onAdded(await add.mutateAsync(request));
    } catch (error) {
      if (!showFieldErrors(form, error, ['address', 'token']))
        setFailure(errorText(error) || t("Couldn't add it. Please try again."));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {failure !== null && <Banner>{failure}</Banner>}
      <Select
        label={t('To [[place for notifications]]')}
        value={format}
        options={FORMATS.map((value) => ({ value, text: formatName(value) }))}
        onChange={(value) => form.setValue('format', FORMATS.find((each) => each === value) ?? 'ntfy')}
      />
      <TextField
        label={t('Address [[place for notifications]]')}
        type="url"
        dir="ltr"
        placeholder={exampleAddresses[format]}
        autoComplete="off"
        error={errors.address?.message}
        {...form.register('address', { onChange: () => form.clearErrors('address') })}
      />
      {takesToken(format) && (
        <TextField
          label={format === 'ntfy' ? t('Token, if it needs one') : t('Token [[place for notifications]]')}
          dir="ltr"
          autoComplete="off"
          error={errors.token?.message}
          {...form.register('token', { onChange: () => form.clearErrors('token') })}
        />
      )}
      <fieldset>
        <legend className="mb-1 font-medium">{t('Notify me about')}</legend>
        {kindGroups.map(({ title, kinds: all }) => (
          <Checkbox
            key={title()}
            label={title()}
            checked={all.every((kind) => kinds.includes(kind))}
            onChange={(checked) => choose(all, checked)}
          />
        ))}
        <Disclosure summary={t('One by one')}>
          {kindGroups
            .flatMap(({ kinds: all }) => all)
            .map((kind) => (
              <Checkbox
                key={kind}
                label={kindTexts[kind]()}
                checked={kinds.includes(kind)}
                onChange={(checked) => choose([kind], checked)}
              />
            ))}
        </Disclosure>
        {errors.kinds?.message !== undefined && <Banner className="mt-2">{errors.kinds.message}</Banner>}
      </fieldset>
      <Checkbox
        label={t('Include amounts')}
        checked={amounts}
        onChange={(checked) => form.setValue('amounts', checked, { shouldDirty: true })}
      />
      <DialogButtons>
        <Button look="outline" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" busy={isSubmitting} busyText={t('Adding...')}>
          {t('Add [[place for notifications]]')}
        </Button>
      </DialogButtons>
    </form>
  );
}
