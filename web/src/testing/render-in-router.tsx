import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type RouterHistory,
} from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';

/** Renders a component with links in a router without the app's pages. Returns the router's history. */
export async function renderInRouter(children: ReactNode, address = '/'): Promise<RouterHistory> {
  const routeTree = createRootRoute({ component: () => children });
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [address] }) });
  render(<RouterProvider router={router} />);
  await act(() => router.load());
  return router.history;
}
