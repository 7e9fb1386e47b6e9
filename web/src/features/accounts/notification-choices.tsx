import type { User } from '@hourshare/contract/users';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { changeStoredUser } from '../../platform/auth/sign-in.ts';
import { useAbout } from './about-api.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { patchMe } from './api.ts';

type Choices = Pick<User, 'email_notifications' | 'usage_reminders'>;

const hasChoice = (variables: unknown, choice: Partial<Choices>): boolean =>
  Object.keys(choice).every((name) => typeof variables === 'object' && variables !== null && name in variables);

/** Saves each choice at once and rolls it back if the server refuses it. */
export function NotificationChoices({ user }: { user: User }) {
  const client = useQueryClient();
  const hasNoMail = useAbout()?.mail === false;
  const save = useMutation({
    mutationKey: ['me'],
    mutationFn: patchMe,
    // Runs saves in order, so that the last click wins.
    scope: { id: 'me' },
    onMutate: (change: Partial<Choices>) => {
      const before = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]));
      changeStoredUser(change);
      return before;
    },
    onSuccess: (_, change) => {
      // A read that started earlier may have restored the old value. Don't overwrite a newer change to the same choice.
      const later = client
        .getMutationCache()
        .findAll({ mutationKey: ['me'], status: 'pending' })
        .filter(({ state }) => state.variables !== change);
      if (!later.some(({ state }) => hasChoice(state.variables, change))) changeStoredUser(change);
      announce(t('Saved.'));
    },
    onError: (_, __, before) => before && changeStoredUser(before),
  });

  return (
    <>
      {save.isError && <Banner className="mb-2">{t("Couldn't save that setting. Please try again.")}</Banner>}
      {hasNoMail && (
        <p id="no-email" className="mb-1.5 text-[14px] text-muted">
          {t("This server doesn't send email yet. Your choices are saved for when it does.")}
        </p>
      )}
      <div role="group" aria-labelledby="notifications" aria-describedby={hasNoMail ? 'no-email' : undefined}>
        <Checkbox
          label={t('Email notifications')}
          checked={user.email_notifications}
          onChange={(checked) => save.mutate({ email_notifications: checked })}
        />
        <Checkbox
          label={t('Usage reminders')}
          hint={t('Weekly summaries')}
          checked={user.usage_reminders}
          onChange={(checked) => save.mutate({ usage_reminders: checked })}
        />
      </div>
    </>
  );
}
