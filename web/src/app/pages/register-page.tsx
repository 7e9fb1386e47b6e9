import { Link, useNavigate } from '@tanstack/react-router';
import { ProviderButtons } from '../../features/accounts/provider-buttons.tsx';
import { RegisterForm } from '../../features/accounts/register-form.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { paths } from '../../lib/paths.ts';
import { AuthShell } from './auth-shell.tsx';
import { LegalLinks } from './legal-links.tsx';
import { textLink } from '../../ui/text-link.ts';

export function RegisterPage() {
  usePageTitle('Sign up');
  const navigate = useNavigate();
  return (
    <AuthShell
      title="Create your account"
      below={
        <>
          <p>
            Already have an account?{' '}
            <Link to={paths.login} className={textLink}>
              Sign in
            </Link>
          </p>
          <LegalLinks action="register" />
        </>
      }
    >
      <RegisterForm onDone={() => void navigate({ to: paths.dashboard, replace: true })} />
      <ProviderButtons />
    </AuthShell>
  );
}
