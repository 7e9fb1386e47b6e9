import { useRouter, useRouterState, type AnyRouter } from '@tanstack/react-router';
import { currentLanguage, preferredLanguage } from '../../platform/i18n/language.ts';
import { claimTokenIn, tokenIn } from '../../platform/paths.ts';
import { safeReturn } from '../safe-return.ts';

/**
 * Returns where the user came from, which may be outside this app; `goBack`, which leads there or, if it is outside, to
 * the dashboard; and the tokens of the invitation or the claim that they came from, if any.
 */
export function useReturn(): {
  from: string | undefined;
  goBack: () => void;
  invitation: string | undefined;
  claim: string | undefined;
} {
  const router = useRouter();
  const from = useRouterState({
    select: ({ location }) => location.state.from ?? (location.search as { from?: string }).from,
  });
  return {
    invitation: tokenIn(safeReturn(from)),
    claim: claimTokenIn(safeReturn(from)),
    from,
    goBack: () => goTo(router, from),
  };
}

/** Goes to a page of this app, or to the dashboard, replacing the sign-in page in the history. */
export function goTo(router: AnyRouter, from: unknown): void {
  const path = safeReturn(from);
  // The account's language may differ from this page's.
  if (preferredLanguage() === currentLanguage()) router.history.replace(path);
  else window.location.replace(path);
}
