import { Outlet } from '@tanstack/react-router';
import { useUser } from '../../lib/use-sign-in.ts';
import { PageSpinner } from './page-spinner.tsx';

// Between a change of who is signed in and the redirect that follows from it, a page must not be shown to the wrong one.

export const SignedInOnly = () => (useUser() === null ? <PageSpinner /> : <Outlet />);

export const SignedOutOnly = () => (useUser() === null ? <Outlet /> : <PageSpinner />);
