import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { listsOf } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

it('the settings show the username and the e-mail address to read, and two checkboxes', async () => {
  fakeServer(listsOf({}));
  await openApp('/settings');
  const username = await screen.findByLabelText<HTMLInputElement>('Username', undefined, { timeout: 4_000 });
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  expect([username.value, username.readOnly]).toEqual(['mira', true]);
  expect([email.value, email.readOnly]).toEqual(['mira@example.org', true]);
  expect(screen.getAllByRole('checkbox')).toEqual([
    screen.getByLabelText('Email notifications'),
    screen.getByLabelText('Usage reminders'),
  ]);
  expect(screen.getByText('Weekly summaries')).toBeTruthy();
});
