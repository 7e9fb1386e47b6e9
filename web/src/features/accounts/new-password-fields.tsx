import type { ComponentProps } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { TextField } from '../../ui/field.tsx';

type Field = Omit<ComponentProps<typeof TextField>, 'label' | 'type' | 'autoComplete'>;

/** The fields for a new password, typed twice. */
export const NewPasswordFields = ({ password, confirmation }: { password: Field; confirmation: Field }) => (
  <>
    <TextField label={t('New password')} type="password" autoComplete="new-password" {...password} />
    <TextField label={t('Confirm new password')} type="password" autoComplete="new-password" {...confirmation} />
  </>
);
