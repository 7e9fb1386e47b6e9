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
  const sentences = screen.getByText(/^The owner of an asset sees/).textContent;
  expect(sentences).toContain("sees each member's sessions, hours, and costs");
  expect(sentences).toContain("Members see their own, as well as the month's price and the total hours used.");
  expect(document.body.textContent).not.toMatch(/everyone sees the same/i);
});
