import { Link } from '@tanstack/react-router';
import { t } from '../../lib/messages.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { paths } from '../../lib/paths.ts';
import { AuthShell } from './auth-shell.tsx';

export function ForgotPasswordPage() {
  usePageTitle(t('Forgot your password?'));
  return (
    <AuthShell title={t('Forgot your password?')} below={null}>
      <p className="text-muted">
        {t(
          "This server doesn't send email, so it can't send you a reset link. Ask whoever runs it to reset your password. No one can read the old one, not even them.",
        )}
      </p>
      <Link to={paths.login} className={buttonClasses('primary', 'medium', 'mt-5')}>
        {t('Back to sign in')}
      </Link>
    </AuthShell>
  );
}
