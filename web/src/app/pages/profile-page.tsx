import { usePageTitle } from '../../lib/page-title.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { Card } from '../../ui/card.tsx';
import { Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function ProfilePage() {
  usePageTitle('Your Profile');
  const user = useUser();
  return (
    <div className="max-w-[640px]">
      <PageHeader title="Your Profile">What this server knows of your account.</PageHeader>
      <Card>
        <DefinitionList>
          <Definition name="Username">{user?.username}</Definition>
          <Definition name="Email address">{user?.email}</Definition>
        </DefinitionList>
      </Card>
    </div>
  );
}
