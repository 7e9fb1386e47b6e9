import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ProviderButtons } from '../../features/accounts/provider-buttons.tsx';
import { RegisterForm } from '../../features/accounts/register-form.tsx';
import { rich, t } from '../../lib/messages.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { paths } from '../../lib/paths.ts';
import { AuthShell } from './auth-shell.tsx';
import { LegalLinks } from './legal-links.tsx';
import { textLink } from '../../ui/text-link.ts';

const loginLink = (text: ReactNode) => (
  <Link to={paths.login} className={textLink}>
    {text}
  </Link>
);

export function RegisterPage() {
  usePageTitle(t('Sign up'));
  const navigate = useNavigate();
  return (
    <AuthShell
      title={t('Create your account')}
      below={
        <>
          <p>{rich('Already have an account? <link>Sign in</link>', { link: loginLink })}</p>
          <LegalLinks action="register" />
        </>
      }
    >
      <RegisterForm onDone={() => void navigate({ to: paths.dashboard, replace: true })} />
      <ProviderButtons />
    </AuthShell>
  );
}
