import { Outlet } from '@tanstack/react-router';
import { useUser } from '../../platform/auth/use-user.ts';
import { PageSpinner } from './page-spinner.tsx';

// Between a sign-in change and the redirect that follows, neither audience may see the other's page.

export const SignedInOnly = () => (useUser() === null ? <PageSpinner /> : <Outlet />);

export const SignedOutOnly = () => (useUser() === null ? <Outlet /> : <PageSpinner />);
