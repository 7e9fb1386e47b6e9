import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AccountList } from '../../features/administration/account-list.tsx';
import { useAdministration } from '../../features/administration/api.ts';
import { Registration } from '../../features/administration/registration.tsx';
import { ServerState } from '../../features/administration/server-state.tsx';
import { useUser } from '../../platform/auth/use-user.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader, SectionHeading } from '../../ui/page-header.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { textLink } from '../../ui/text-link.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { useUserRefresh } from './use-user-refresh.ts';

/** For everyone but administrators, there is no such page; the server decides. */
export function AdministrationPage() {
  const state = useAdministration();
  useUserRefresh();
  const isMissing = state.error instanceof ApiError && state.error.status === 404;
  return isMissing ? <NotFoundPage /> : <Administering state={state} />;
}

function Administering({ state }: { state: ReturnType<typeof useAdministration> }) {
  usePageTitle(t('Administration'));
  const user = useUser();
  if (!user) return null;
  const canChange = user.two_step;
  return (
    <div className="max-w-[760px]">
      <PageHeader title={t('Administration')} />
      {!state.data && state.isError && (
        <Banner onRetry={() => void state.refetch()}>{t("Couldn't load the state of the server.")}</Banner>
      )}
      {state.isPending && <Spinner label={t('Loading the state of the server')} size={28} />}
      {state.data && (
        <>
          {!canChange && (
            <Banner tone="note">
              {rich('To change anything, <link>turn on two-step sign-in</link> first.', { link: profileLink })}
            </Banner>
          )}
          <Section id="accounts" title={t('Accounts')}>
            <AccountList labelledBy="accounts" canChange={canChange} />
          </Section>
          <Section id="registration" title={t('New accounts')}>
            <Registration state={state.data} canChange={canChange} />
          </Section>
          <Section id="server" title={t('Server')}>
            <ServerState state={state.data} email={user.email} canChange={canChange} />
          </Section>
        </>
      )}
    </div>
  );
}

const profileLink = (text: ReactNode) => (
  <Link to={paths.profile} className={textLink}>
    {text}
  </Link>
);

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id}>
    <SectionHeading id={id}>{title}</SectionHeading>
    <Card>{children}</Card>
  </section>
);
