import type { User } from '@hourshare/contract/accounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../lib/announcements.ts';
import { changeStoredUser } from '../../lib/sign-in.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { sendMe } from './api.ts';

type Choices = Pick<User, 'email_notifications' | 'usage_reminders'>;

/** Each choice holds at once, and is taken back with a sentence when the server did not take it. */
export function NotificationChoices({ user }: { user: User }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationKey: ['me'],
    mutationFn: sendMe,
    // One after the other, so that the last press is the one that stays.
    scope: { id: 'me' },
    onMutate: (change: Partial<Choices>) => {
      const before = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]));
      changeStoredUser(change);
      return before;
    },
    onSuccess: (saved) => {
      // Of several in a row, the last answer has them all. A read that began before may have brought back the old ones.
      if (client.isMutating({ mutationKey: ['me'] }) === 1) changeStoredUser(saved);
      announce('Saved.');
    },
    onError: (_, __, before) => before && changeStoredUser(before),
  });

  return (
    <>
      {save.isError && (
        <Banner className="mb-2">Failed to save your choice, so it is back as it was. Please try again.</Banner>
      )}
      <Checkbox
        label="Email notifications"
        checked={user.email_notifications}
        onChange={(checked) => save.mutate({ email_notifications: checked })}
      />
      <Checkbox
        label="Usage reminders"
        hint="Weekly summaries"
        checked={user.usage_reminders}
        onChange={(checked) => save.mutate({ usage_reminders: checked })}
      />
    </>
  );
}
