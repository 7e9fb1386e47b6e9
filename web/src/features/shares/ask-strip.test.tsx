import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aShare, list, someTerms } from '../../testing/records.ts';

const AGREE = '/api/shared-assets/7/agree/';
const raised = someTerms({ price: 24 });

/** Opens the dashboard with a question about Figma, which `onAgree` answers. */
async function ask(onAgree: (answer: (share: object) => void) => { status: number; json?: unknown }) {
  let share: object = aShare({ terms: raised, asked: true });
  const received = fakeServer(({ path }) => {
    if (path === AGREE) return onAgree((changed) => (share = changed));
    if (path.endsWith('/start/')) return { status: 500 };
    return list(...(path === '/api/shared-assets/' ? [share] : []));
  });
  const user = await openApp('/dashboard');
  const strip = within(await screen.findByRole('group', { name: 'Question about Figma' }));
  const reads = () => received.filter(({ path }) => path === '/api/shared-assets/').length;
  return { user, strip, received, reads };
}

beforeEach(prepareApp);
afterEach(cleanup);

it('sends the terms that it shows, and is gone', async () => {
  const { user, strip, received } = await ask((answer) => {
    const agreed = aShare({ terms: raised, agreed: raised });
    answer(agreed);
    return { status: 200, json: agreed };
  });
  expect(strip.getByText('An hour now costs $0.60 instead of $0.50.')).toBeTruthy();
  expect(strip.getByText('Until you agree, ben covers the difference.')).toBeTruthy();
  await user.click(strip.getByRole('button', { name: 'Agree to the new terms of Figma' }));
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Question about Figma' })).toBeNull());
  expect(received.find(({ path }) => path === AGREE)?.body).toEqual({ terms: raised });
});

it('agrees by a start that says so, and not by a plain one', async () => {
  const { user, strip, received } = await ask(() => ({ status: 500 }));
  const starts = () => received.filter(({ path }) => path === '/api/shared-assets/7/start/').map(({ body }) => body);
  await user.click(screen.getByRole('button', { name: 'Start Session' }));
  await waitFor(() => expect(starts()).toHaveLength(1));
  await user.click(await strip.findByRole('button', { name: 'Agree and start Figma' }));
  await waitFor(() => expect(starts()).toHaveLength(2));
  expect(starts().map((body) => body ?? {})).toEqual([{}, { agrees: raised }]);
});

it('asks again with the new terms if they cost even more by now', async () => {
  const { user, strip, reads } = await ask((answer) => {
    answer(aShare({ terms: someTerms({ price: 40 }), asked: true }));
    return errorReply(409, 'offer_changed', 'This offer just changed. Review it and try again.');
  });
  const before = reads();
  await user.click(strip.getByRole('button', { name: 'Agree to the new terms of Figma' }));
  expect(await strip.findByRole('alert')).toBeTruthy();
  expect(await strip.findByText('An hour now costs $1.00 instead of $0.50.')).toBeTruthy();
  expect(reads()).toBeGreaterThan(before);
});

it('asks in the dialog as well, where a notice leads', async () => {
  fakeServer(({ path }) => list(...(path === '/api/shared-assets/' ? [aShare({ terms: raised, asked: true })] : [])));
  await openApp('/shared?share=7&tab=usage');
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByRole('button', { name: 'Agree to the new terms of Figma' })).toBeTruthy();
});
