import { useRouter, useRouterState } from '@tanstack/react-router';
import { safeReturn } from '../safe-return.ts';

/** After signing in: back to the page one came from, if it is one of this app, else to the dashboard. */
export function useReturn(): { goBack: () => void } {
  const router = useRouter();
  const from = useRouterState({
    select: ({ location }) => location.state.from ?? (location.search as { from?: string }).from,
  });
  return { goBack: () => router.history.replace(safeReturn(from)) };
}
