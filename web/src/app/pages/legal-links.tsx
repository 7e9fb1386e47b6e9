import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { textLink } from '../../ui/text-link.ts';

export const LegalLinks = ({ doing }: { doing: string }) => (
  <p>
    By {doing} you agree to the{' '}
    <Link to={paths.terms} className={textLink}>
      Terms
    </Link>{' '}
    and the{' '}
    <Link to={paths.privacy} className={textLink}>
      Privacy Policy
    </Link>
    .
  </p>
);
