import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryClient } from '../../platform/http/query-client.ts';
import { fakeServer } from '../../testing/fake-server.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { About } from './about.tsx';
import { Privacy } from './privacy.tsx';

beforeEach(() => queryClient.clear());
afterEach(cleanup);

it.each([
  ['About', <About key="about" />],
  ['Privacy', <Privacy key="privacy" />],
])('%s says who sees whose hours', async (_, page) => {
  fakeServer(() => ({ status: 200, json: { contact: null } }));
  await renderInRouter(page);
  const sentences = screen.getByText(/^The owner and co-managers of an asset see/).textContent;
  expect(sentences).toContain("see each member's sessions, hours, and costs");
  expect(sentences).toContain("Members see their own, as well as the month's price and the total hours used.");
  expect(sentences).toContain(
    'only sessions that were edited or removed, and only if the price is split by share of use.',
  );
  expect(document.body.textContent).not.toMatch(/everyone sees the same/i);
});
