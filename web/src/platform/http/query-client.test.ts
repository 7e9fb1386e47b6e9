// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { aUser, storeTestSignIn } from '../../testing/fake-server.ts';

it('the query cache is cleared when another user signs in', async () => {
  localStorage.clear();
  storeTestSignIn('a', 'r');
  // Imported while a user is signed in, as in the app.
  vi.resetModules();
  const { storeSignIn } = await import('../auth/sign-in.ts');
  const { queryClient } = await import('./query-client.ts');

  storeSignIn({ access: 'b', refresh: 's', user: { ...aUser, id: 2 } });
  queryClient.setQueryData(['GET /api/assets/', {}], { results: ['theirs'], next: null });
  storeSignIn({ access: 'c', refresh: 't', user: { ...aUser, id: 2 } });
  expect(queryClient.getQueryCache().getAll()).toHaveLength(1);
  storeSignIn({ access: 'd', refresh: 'u', user: { ...aUser, id: 3 } });
  expect(queryClient.getQueryCache().getAll()).toHaveLength(0);
});
