import { Link } from '@tanstack/react-router';
import { LoginForm } from '../../features/accounts/login-form.tsx';
import { LogoutFailure } from '../../features/accounts/logout-failure.tsx';
import { ProviderButtons } from '../../features/accounts/provider-buttons.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { paths } from '../../lib/paths.ts';
import { AuthShell } from './auth-shell.tsx';
import { LegalLinks } from './legal-links.tsx';
import { textLink } from '../../ui/text-link.ts';
import { useReturn } from './use-return.ts';

export function LoginPage() {
  usePageTitle('Sign in');
  const { goBack } = useReturn();
  return (
    <AuthShell
      title="Sign in to HourShare"
      below={
        <>
          <p>
            New here?{' '}
            <Link to={paths.register} className={textLink}>
              Sign up
            </Link>
          </p>
          <LegalLinks action="sign-in" />
        </>
      }
    >
      <LogoutFailure />
      <LoginForm onDone={goBack} />
      <ProviderButtons />
    </AuthShell>
  );
}
