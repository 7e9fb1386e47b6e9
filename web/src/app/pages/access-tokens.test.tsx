import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { anOffer, aShare, serveLists } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

const TOKENS = '/api/me/access-tokens/';

const aToken = (change: object = {}) => ({
  id: 4,
  name: 'Doorbell',
  scope: 'share',
  share_id: 7,
  asset_name: 'Figma',
  share_ended: false,
  created_at: '2026-11-01T10:00:00.000Z',
  last_used_at: null,
  expires_at: '2030-02-01T10:00:00.000Z',
  ...change,
});

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Serves access tokens; `reply` can answer other calls about them. */
function serve(tokens: object[], { shares = [aShare()], reply }: { shares?: object[]; reply?: () => Reply } = {}) {
  const lists = serveLists({ shares });
  return fakeServer((request) => {
    if (!request.path.startsWith(TOKENS)) return lists(request);
    if (request.method === 'GET') return { status: 200, json: { access_tokens: tokens } };
    return reply?.() ?? { status: 204 };
  });
}
const made = () => ({ status: 201, json: { ...aToken(), token: 'hs_secret' } });
const writes = (received: Received[]) =>
  received.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
const list = () => screen.findByRole('list', { name: 'Access tokens' });

describe('access tokens in the settings', () => {
  it('say what each token can do, when it was used, and whether it still works', async () => {
    serve([
      aToken({ share_ended: true }),
      aToken({
        id: 5,
        name: 'Report',
        scope: 'account',
        share_id: null,
        asset_name: null,
        last_used_at: '2026-11-02T10:00:00.000Z',
      }),
      aToken({ id: 6, name: 'Lamp', scope: 'events', share_id: null, asset_name: null }),
    ]);
    await openApp('/settings#access-tokens');
    const texts = within(await list())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(texts).toHaveLength(3);
    expect(texts[2]).toMatch(/Lamp.*Hears what happens/);
    expect(texts[0]).toMatch(
      /Doorbell.*No longer works: your access ended.*Starts, ends, and adds sessions of Figma.*Not used yet/,
    );
    expect(texts[1]).toMatch(/Report.*Reads everything.*Last used: .*Expires: /);
  });

  it('say that there are none', async () => {
    serve([]);
    await openApp('/settings#access-tokens');
    expect(await screen.findByText('No access tokens.')).toBeTruthy();
  });

  it('can be loaded again after a failure', async () => {
    const lists = serveLists({});
    let fails = true;
    fakeServer((request) => {
      if (request.path !== TOKENS) return lists(request);
      return fails ? errorReply(500, 'internal', 'Broken.') : { status: 200, json: { access_tokens: [aToken()] } };
    });
    const user = await openApp('/settings#access-tokens');
    const banner = (await screen.findByText("Couldn't load access tokens.")).closest('div');
    fails = false;
    await user.click(within(banner?.parentElement ?? document.body).getByRole('button', { name: 'Try again' }));
    expect(await list()).toBeTruthy();
  });

  it('are revoked after confirming', async () => {
    const received = serve([aToken()]);
    const user = await openApp('/settings#access-tokens');
    await user.click(await screen.findByRole('button', { name: 'Revoke the access token: Doorbell' }));
    const question = await screen.findByRole('alertdialog', { name: 'Revoke this access token?' });
    expect(writes(received)).toEqual([]);
    await user.click(within(question).getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('Access token revoked: Doorbell')).toBeTruthy();
    expect(writes(received)).toEqual([['DELETE', `${TOKENS}4/`, undefined]]);
  });
});

describe('creating an access token', () => {
  const open = async (...given: Parameters<typeof serve>) => {
    const received = serve(...given);
    const user = await openApp('/settings#access-tokens');
    await user.click(await screen.findByRole('button', { name: 'Create access token' }));
    return { received, user, dialog: within(await screen.findByRole('dialog')) };
  };

  it('is for one asset by default, and shows the token and its commands only once', async () => {
    const shares = [anOffer({}), aShare({ id: 9, asset_name: 'Sauna' })];
    const { received, user, dialog } = await open([], { shares, reply: made });
    await user.type(await dialog.findByLabelText('Name'), ' Doorbell ');
    const assets = dialog.getByLabelText<HTMLSelectElement>('Asset');
    expect([...assets.options].map(({ text }) => text)).toEqual(['Sauna']);
    await user.selectOptions(dialog.getByLabelText('Expires after'), '30 days');
    await user.click(dialog.getByRole('button', { name: 'Create access token' }));
    expect((await dialog.findByLabelText<HTMLInputElement>('Access token: Doorbell')).value).toBe('hs_secret');
    expect(dialog.getByLabelText<HTMLInputElement>('To start, run').value).toMatch(
      /^curl -X POST -H 'Authorization: Bearer hs_secret' 'http.*\/api\/shared-assets\/7\/start\/'$/,
    );
    expect(writes(received)).toEqual([['POST', TOKENS, { name: 'Doorbell', share_id: 9, expires_in_days: 30 }]]);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(screen.queryByDisplayValue('hs_secret')).toBeNull();
  });

  it('can be for reading everything, also if nothing is shared with the user', async () => {
    const { received, user, dialog } = await open([], { shares: [], reply: made });
    await user.type(await dialog.findByLabelText('Name'), 'Report');
    expect(dialog.getAllByRole('radio')).toHaveLength(2);
    await user.click(dialog.getByRole('button', { name: 'Create access token' }));
    await dialog.findByDisplayValue('hs_secret');
    expect(writes(received)).toEqual([['POST', TOKENS, { name: 'Report', scope: 'account', expires_in_days: 90 }]]);
  });

  it('can be for hearing what happens', async () => {
    const { received, user, dialog } = await open([], { reply: made });
    await user.type(await dialog.findByLabelText('Name'), 'Lamp');
    await user.click(dialog.getByRole('radio', { name: /Hear what happens/ }));
    await user.click(dialog.getByRole('button', { name: 'Create access token' }));
    await dialog.findByDisplayValue('hs_secret');
    expect(writes(received)).toEqual([['POST', TOKENS, { name: 'Lamp', scope: 'events', expires_in_days: 90 }]]);
  });

  it('needs a name', async () => {
    const { received, user, dialog } = await open([]);
    await user.click(await dialog.findByRole('button', { name: 'Create access token' }));
    expect(await dialog.findByText('Name is required')).toBeTruthy();
    expect(writes(received)).toEqual([]);
  });

  it('asks before discarding what was typed in the dialog of an asset', async () => {
    serve([]);
    const user = await openApp('/shared?share=7&tab=details');
    await user.click(await screen.findByRole('button', { name: 'Show' }));
    await user.click(await screen.findByRole('button', { name: 'Create access token' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    await user.keyboard('Doorbell{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Create access token' }));
  });

  it('keeps what was typed when it fails', async () => {
    const reply = () => errorReply(400, 'too_many_tokens', 'You have too many access tokens. Revoke one first.');
    const { user, dialog } = await open([], { reply });
    await user.type(await dialog.findByLabelText('Name'), 'Doorbell');
    await user.click(dialog.getByRole('button', { name: 'Create access token' }));
    expect(await dialog.findByText('You have too many access tokens. Revoke one first.')).toBeTruthy();
    expect(dialog.getByDisplayValue('Doorbell')).toBeTruthy();
  });
});
