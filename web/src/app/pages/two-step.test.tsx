import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { currentSignIn } from '../../platform/auth/sign-in.ts';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { serveLists } from '../../testing/records.ts';

const CODES = Array.from({ length: 10 }, (_, n) => `abcd-efgh-ijkl-mnop-qrst-uvw${n}`);
const KEY = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const wrongCode = errorReply(400, 'wrong_code', 'That code is wrong or was already used', {
  code: ['That code is wrong or was already used'],
});

/** A server with two-step sign-in on or off, where `123456` is the right code. */
function serveTwoStep({ on = false, left = 10 } = {}) {
  const lists = serveLists({});
  let [since, codes] = [on ? '2026-11-01T12:00:00.000Z' : null, on ? left : 0];
  return fakeServer((request) => {
    const { method, path, body } = request;
    if (path === '/api/me/two-step/confirm/') {
      if ((body as { code: string }).code !== '123456') return wrongCode;
      [since, codes] = ['2026-11-23T12:00:00.000Z', 10];
      return { status: 201, json: { recovery_codes: CODES } };
    }
    if (path === '/api/me/two-step/recovery-codes/') {
      codes = 10;
      return { status: 200, json: { recovery_codes: CODES } };
    }
    if (path !== '/api/me/two-step/') return lists(request);
    if (method === 'POST')
      return { status: 200, json: { key: KEY, address: `otpauth://totp/HourShare:mira?secret=${KEY}` } };
    if (method === 'GET') return { status: 200, json: { since, recovery_codes_left: codes } };
    since = null;
    return { status: 204 };
  });
}

const openProfile = async () => {
  const user = await openApp('/profile#two-step');
  return { user, card: within(await screen.findByRole('region', { name: 'Two-step sign-in' })) };
};

beforeEach(prepareApp);
afterEach(cleanup);

describe('two-step sign-in on the profile page', () => {
  it('is turned on with a key and its first code, and shows the recovery codes until they are saved', async () => {
    serveTwoStep();
    const { user, card } = await openProfile();
    await user.click(await card.findByRole('button', { name: 'Turn on' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Turn on two-step sign-in' }));
    expect(await dialog.findByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy();
    expect(dialog.getByLabelText<HTMLInputElement>("Key, if you can't scan it").value).toBe(
      'ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567',
    );
    const code = dialog.getByLabelText<HTMLInputElement>('Code');
    expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric']);
    await waitFor(() => expect(document.activeElement).toBe(code));
    await user.keyboard('000000{Enter}');
    expect(await dialog.findByText('That code is wrong or was already used')).toBeTruthy();
    await user.clear(code);
    // As typed on an Arabic keyboard.
    await user.keyboard('١٢٣٤٥٦{Enter}');
    const codes = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
    expect(codes.getByLabelText<HTMLTextAreaElement>('Recovery codes').value).toBe(CODES.join('\n'));
    expect(currentSignIn()?.user.two_step).toBe(true);
    await user.keyboard('{Escape}');
    const question = within(await screen.findByRole('alertdialog', { name: 'Close without saving the codes?' }));
    await user.click(question.getByRole('button', { name: 'Back' }));
    await user.click(codes.getByRole('button', { name: "I've saved them" }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await card.findByText(/10 of 10 recovery codes are left/)).toBeTruthy();
  });

  it('lets the user copy and download the codes', async () => {
    serveTwoStep({ on: true, left: 1 });
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const { user, card } = await openProfile();
    expect(await card.findByText('Make new recovery codes before you run out of them.')).toBeTruthy();
    await user.click(card.getByRole('button', { name: 'New recovery codes' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Make new recovery codes?' }));
    await user.click(question.getByRole('button', { name: 'Make new codes' }));
    const codes = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
    await user.click(codes.getByRole('button', { name: 'Copy' }));
    expect(await codes.findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(CODES.join('\n'));
    await user.click(codes.getByRole('button', { name: 'Download' }));
    const text = await saved[0]?.text();
    expect(text).toContain('HourShare recovery codes for mira');
    for (const code of CODES) expect(text).toContain(`\r\n${code}\r\n`);
  });

  it('is turned off after a confirmation', async () => {
    const received = serveTwoStep({ on: true });
    const { user, card } = await openProfile();
    await user.click(await card.findByRole('button', { name: 'Turn off' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Turn off two-step sign-in?' }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(received.some(({ method }) => method === 'DELETE')).toBe(false);
    await user.click(card.getByRole('button', { name: 'Turn off' }));
    await user.click(await screen.findByRole('button', { name: 'Turn off', hidden: false }));
    expect(await card.findByRole('button', { name: 'Turn on' })).toBeTruthy();
  });

  it('says when it cannot be loaded, and tries again', async () => {
    const lists = serveLists({});
    let isDown = true;
    fakeServer((request) => {
      if (request.path !== '/api/me/two-step/') return lists(request);
      return isDown ? { status: 503 } : { status: 200, json: { since: null, recovery_codes_left: 0 } };
    });
    const { user, card } = await openProfile();
    expect(await card.findByText("Couldn't load two-step sign-in.")).toBeTruthy();
    isDown = false;
    await user.click(card.getByRole('button', { name: 'Try again' }));
    expect(await card.findByRole('button', { name: 'Turn on' })).toBeTruthy();
  });
});
