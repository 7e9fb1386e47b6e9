import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './http-errors.ts';
import { logError } from './log.ts';
import { currentSignIn, onSignInChange } from './sign-in.ts';

/** A second try helps when a server restarts or a train leaves a tunnel, not when the server said no. */
const mayPass = (error: Error) => !(error instanceof ApiError) || error.status >= 500;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => logError(String(query.queryKey[0]), error) }),
  defaultOptions: {
    queries: {
      // Waiting in silence for a network would hide the catalogue's sentence and the button to retry.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && mayPass(error),
      retryDelay: 400,
      staleTime: 5_000,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// Nothing of one user may be seen by the next.
let lastUser = currentSignIn()?.user.id;
onSignInChange((signIn) => {
  if (signIn?.user.id !== lastUser) queryClient.clear();
  lastUser = signIn?.user.id;
});
