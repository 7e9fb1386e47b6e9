import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors.ts';
import { logError } from '../log.ts';
import { currentSignIn, onSignInChange } from '../auth/sign-in.ts';

/** Returns whether a retry may help: after a connection failure or a server error, not after a refusal. */
const isRetryable = (error: Error) => !(error instanceof ApiError) || error.status >= 500;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => logError(String(query.queryKey[0]), error) }),
  defaultOptions: {
    queries: {
      // The default pauses while offline, which would hide the error message and the retry button.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && isRetryable(error),
      retryDelay: 400,
      staleTime: 5_000,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// One user's data must never be shown to the next.
let lastUser = currentSignIn()?.user.id;
onSignInChange((signIn) => {
  if (signIn?.user.id !== lastUser) queryClient.clear();
  lastUser = signIn?.user.id;
});
