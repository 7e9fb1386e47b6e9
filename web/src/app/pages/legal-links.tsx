import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rich } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { textLink } from '../../ui/text-link.ts';

const links = {
  terms: (text: ReactNode) => (
    <Link to={paths.terms} className={textLink}>
      {text}
    </Link>
  ),
  privacy: (text: ReactNode) => (
    <Link to={paths.privacy} className={textLink}>
      {text}
    </Link>
  ),
};

export const LegalLinks = ({ action }: { action: 'sign-in' | 'register' }) => (
  <p>
    {action === 'sign-in'
      ? rich('By signing in you agree to the <terms>terms</terms> and the <privacy>privacy policy</privacy>.', links)
      : rich(
          'By creating an account you agree to the <terms>terms</terms> and the <privacy>privacy policy</privacy>.',
          links,
        )}
  </p>
);
