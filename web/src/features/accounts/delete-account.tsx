import { DeleteAccountRequest } from '@hourshare/contract/accounts';
import { type User } from '@hourshare/contract/users';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { assetDialog, paths } from '../../platform/paths.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { textLink } from '../../ui/text-link.ts';
import { useAssets } from '../assets/api.ts';
import { useBalances } from '../settlements/api.ts';
import { deleteAccount } from './api.ts';
import { CurrentPassword } from './current-password.tsx';

type Name = 'hide' | 'keep';

interface Typed {
  /** Null if a passkey was used instead, or if the account has no password. */
  current_password: string | null;
  name: Name;
}

const EMPTY: Typed = { current_password: '', name: 'hide' };

const resolver = requestResolver(DeleteAccountRequest, (typed: Typed) => ({
  ...(typed.current_password !== null && { current_password: typed.current_password }),
  keep_name: typed.name === 'keep',
}));

/** The button, and the dialog that it opens. */
export function DeleteAccount({ user }: { user: User }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="outline" className="justify-self-start text-over-text!" onClick={() => setAsking(true)}>
        {t('Delete account')}
      </Button>
      {asking && <Question username={user.username} onCancel={() => setAsking(false)} />}
    </>
  );
}

function Question({ username, onCancel }: { username: string; onCancel: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    defaultValues: EMPTY,
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { errors, isSubmitting } = form.formState;
  const [name, current] = useWatch({ control: form.control, name: ['name', 'current_password'] });

  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    try {
      await deleteAccount(request);
    } catch (error) {
      if (showFieldErrors(form, error, ['current_password'])) return;
      const message = error instanceof ApiError && error.status < 500 ? errorText(error) : '';
      setFailure(message || t("Couldn't delete your account. Please try again."));
    }
  });

  return (
    <ConfirmDialog
      title={t('Delete your account?')}
      confirm={t('Delete account')}
      busyText={t('Deleting...')}
      busy={isSubmitting}
      failure={failure}
      onConfirm={() => void submit()}
      onCancel={onCancel}
      form={
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <SharedAssets onLeave={onCancel} />
          <OpenBalances />
          <RadioCards
            legend={t('What others will still see')}
            value={name}
            onChange={(choice) => form.setValue('name', choice)}
            options={[
              {
                value: 'hide',
                text: t('"Deleted user"'),
                hint: t('Your name disappears from closed statements and payments, too.'),
              },
              {
                value: 'keep',
                text: t('Your name, {username}', { username }),
                hint: t('Closed statements stay as they are. No one else can take the name.'),
              },
            ]}
          />
          {/* Tells password managers which account this password is for. */}
          <input hidden readOnly autoComplete="username" value={username} />
          <CurrentPassword
            value={current}
            onChoose={(value) => form.resetField('current_password', { defaultValue: value })}
            error={errors.current_password?.message}
            {...form.register('current_password', { onChange: () => form.clearErrors('current_password') })}
          />
          {/* Without one, Enter wouldn't submit a form with two fields. */}
          <input type="submit" hidden value={t('Delete account')} />
        </form>
      }
    >
      <p>
        {t(
          "Your email address, payment details, settings, and sign-ins are deleted at once. Your access to other people's assets ends. This can't be undone.",
        )}
      </p>
      <p>{t('Your own assets are deleted for all members. Their open months close and are billed as usual.')}</p>
      <p>{t('Charges, payments, and closed statements stay with the people you shared with.')}</p>
    </ConfirmDialog>
  );
}

/** The user's assets that others use, which they can hand over instead of deleting. */
function SharedAssets({ onLeave }: { onLeave: () => void }) {
  const { data = [] } = useAssets();
  const shared = data.filter(({ shared_with: entries }) => entries.some(({ pending, person }) => !pending && !person));
  if (shared.length === 0) return null;
  return (
    <section aria-labelledby="others-use" className="text-[14px]">
      <h3 id="others-use" className="font-semibold">
        {t('Hand over instead of deleting')}
      </h3>
      <ul className="mt-1 grid gap-0.5 [overflow-wrap:anywhere]">
        {shared.map(({ id, name }) => (
          <li key={id}>
            <Link
              to={paths.assets}
              search={assetDialog(id, 'details')}
              className={textLink}
              onClick={onLeave}
              dir="auto"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the user owes and is owed; no one settles it for them afterwards. */
function OpenBalances() {
  const { data, isError } = useBalances();
  if (isError) return <p className="text-[14px] text-over-text">{t("Couldn't load what is still to be paid.")}</p>;
  if (!data) return <p className="text-[14px] text-muted">{t('Loading what is still to be paid...')}</p>;
  if (data.length === 0)
    return <p className="text-[14px]">{t('Of closed months, you owe no one anything, and no one owes you.')}</p>;
  return (
    <section aria-labelledby="still-open" className="text-[14px]">
      <h3 id="still-open" className="font-semibold">
        {t('Still to be paid')}
      </h3>
      <ul className="mt-1 grid gap-0.5 [overflow-wrap:anywhere]">
        {data.map(({ username: name, currency, net, lines }) => {
          const amount = formatMoney(Math.abs(net), currency);
          return (
            <li key={`${name} ${currency} ${lines[0]?.id}`}>
              {net < 0
                ? t('You owe {name} {amount}', { name, amount })
                : t('{name} owes you {amount}', { name, amount })}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
