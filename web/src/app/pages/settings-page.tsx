import { useState } from 'react';
import { logout } from '../../features/accounts/api.ts';
import { logError } from '../../lib/log.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function SettingsPage() {
  usePageTitle('Settings');
  const user = useUser();
  const [leaving, setLeaving] = useState(false);
  const [failed, setFailed] = useState(false);

  const signOut = async () => {
    setLeaving(true);
    setFailed(false);
    try {
      await logout();
    } catch (error) {
      logError('Logout failed', error);
      setFailed(true);
      setLeaving(false);
    }
  };

  return (
    <div className="max-w-[640px]">
      <PageHeader title="Settings" />
      {failed && <Banner className="mb-4">Failed to logout. Please try again.</Banner>}
      <div className="grid gap-3.5">
        <Card as="section" labelledBy="account">
          <h2 id="account" className="mb-4 font-semibold">
            Account
          </h2>
          <div className="grid gap-4">
            <TextField label="Username" value={user?.username ?? ''} readOnly className="border-line! bg-sunken!" />
            <TextField label="Email" value={user?.email ?? ''} readOnly className="border-line! bg-sunken!" />
          </div>
        </Card>
        <Card as="section" labelledBy="notifications">
          <h2 id="notifications" className="mb-2 font-semibold">
            Notifications
          </h2>
          <Checkbox label="Email notifications" />
          <Checkbox label="Usage reminders" hint="Weekly summaries" />
          <p className="mt-2 text-[13.5px] text-muted">These choices are not saved yet.</p>
        </Card>
        <Card as="section" labelledBy="sign-out" className="flex flex-wrap items-center justify-between gap-4">
          <div>
            <h2 id="sign-out" className="font-semibold">
              This device
            </h2>
            <p className="text-[14px] text-muted">Ends your sign-in on this device only.</p>
          </div>
          <Button look="danger" busy={leaving} busyText="Signing out..." onClick={() => void signOut()}>
            Sign Out
          </Button>
        </Card>
      </div>
    </div>
  );
}
