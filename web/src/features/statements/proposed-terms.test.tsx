import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aShare, list } from '../../testing/records.ts';

const terms = { split_method: 'equal' as const, base_percent: 0, owner_hours: 0, max_session_hours: 24 };
const proposing = (agreed: boolean | null) =>
  aShare({
    next_terms: { from_month: '2026-12', ...terms },
    proposed_terms: {
      ...terms,
      id: 5,
      month: '2026-11',
      proposed_at: '2026-11-20T12:00:00.000Z',
      members: [{ username: 'mira', agreed }],
    },
  });

beforeEach(prepareApp);
afterEach(cleanup);

it('asks a member whether proposed terms apply to this month, and keeps the answer changeable', async () => {
  let share = proposing(null);
  const received: Received[] = fakeServer((request) => {
    if (request.path === '/api/shared-assets/') return list(share);
    if (!request.path.endsWith('/terms/')) return { status: 404 };
    share = proposing(true);
    return { status: 204 };
  });
  const user = await openApp('/shared?share=7&tab=usage');
  expect(await screen.findByText('ben wants to change how November 2026 is split')).toBeTruthy();
  expect(screen.getByText('Evenly, sessions of up to 24 h')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Agree to the terms for Figma' }));
  await screen.findByText('You agreed.', { selector: '.text-muted' });
  expect(received.filter(({ path }) => path.endsWith('/terms/')).map(({ path, body }) => [path, body])).toEqual([
    ['/api/shared-assets/7/terms/', { proposal: 5, agreed: true }],
  ]);
  expect(screen.queryByRole('button', { name: 'Agree to the terms for Figma' })).toBeNull();
  expect(screen.getByRole('button', { name: "Don't agree to the terms for Figma" })).toBeTruthy();
});

it('says so when the proposal has ended meanwhile', async () => {
  fakeServer((request) => {
    if (request.path === '/api/shared-assets/') return list(proposing(null));
    return request.path.endsWith('/terms/')
      ? errorReply(400, 'proposal_ended', 'This proposal has changed or ended.')
      : { status: 404 };
  });
  const user = await openApp('/shared?share=7&tab=usage');
  await user.click(await screen.findByRole('button', { name: "Don't agree to the terms for Figma" }));
  expect((await screen.findByRole('alert')).textContent).toBe('This proposal has changed or ended.');
});

it('tells a member what starts next month', async () => {
  const share = aShare({ next_terms: { from_month: '2026-12', ...terms } });
  fakeServer(({ path }) => (path === '/api/shared-assets/' ? list(share) : { status: 404 }));
  await openApp('/shared?share=7&tab=usage');
  expect(await screen.findByText('Starting December 2026: Evenly, sessions of up to 24 h.')).toBeTruthy();
});
