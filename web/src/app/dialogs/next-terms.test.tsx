import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { aShare, list, someNextTerms } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

it('tells a member what starts next month', async () => {
  const share = aShare({ next_terms: someNextTerms({ split_method: 'equal' }) });
  fakeServer(({ path }) => (path === '/api/shared-assets/' ? list(share) : { status: 404 }));
  await openApp('/shared?share=7&tab=usage');
  expect(await screen.findByText('Starting December 2026: Evenly, sessions of up to 24 h.')).toBeTruthy();
});
