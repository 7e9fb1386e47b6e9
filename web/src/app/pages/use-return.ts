import { useRouter, useRouterState } from '@tanstack/react-router';
import { currentLanguage, preferredLanguage } from '../../lib/language.ts';
import { claimTokenIn, tokenIn } from '../../lib/paths.ts';
import { safeReturn } from '../safe-return.ts';

/**
 * Returns `goBack`, which leads to the page the user came from or, if there is none in this app, to the dashboard; and the
 * tokens of the invitation or the claim they came from, if any.
 */
export function useReturn(): { goBack: () => void; invitation: string | undefined; claim: string | undefined } {
  const router = useRouter();
  const from = useRouterState({
    select: ({ location }) => location.state.from ?? (location.search as { from?: string }).from,
  });
  return {
    invitation: tokenIn(safeReturn(from)),
    claim: claimTokenIn(safeReturn(from)),
    goBack: () => {
      const path = safeReturn(from);
      // The account's language may be another than this page's.
      if (preferredLanguage() === currentLanguage()) router.history.replace(path);
      else window.location.replace(path);
    },
  };
}
