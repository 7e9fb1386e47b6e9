import { Link } from '@tanstack/react-router';
import { usePageTitle } from '../../lib/page-title.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { paths } from '../../lib/paths.ts';
import { AuthShell } from './auth-shell.tsx';

export function ForgotPasswordPage() {
  usePageTitle('Forgot your password?');
  return (
    <AuthShell title="Forgot your password?" below={null}>
      <p className="text-muted">
        This server does not send mail, so it cannot send you a link. Ask whoever runs it to reset your password;
        nobody, including them, can read the old one.
      </p>
      <Link to={paths.login} className={buttonClasses('primary', 'medium', 'mt-5')}>
        Back to sign in
      </Link>
    </AuthShell>
  );
}
