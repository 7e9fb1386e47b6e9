import type { OwnedAsset } from '@hourshare/contract/assets';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../platform/paths.ts';
import { queryClient } from '../../../platform/http/query-client.ts';
import { errorReply, fakeServer } from '../../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../../testing/open-app.tsx';
import { anAsset, anEntry, aShare, serveLists } from '../../../testing/records.ts';
import { followSignIn } from '../../follow-sign-in.ts';
import { router } from '../../router.tsx';

const unused = (change: Partial<OwnedAsset> = {}) => anAsset({ used: false, ...change });
const shared = unused({ shared_with: [anEntry(1, null, null), anEntry(2, 'ana', 40)] });

const steps = async () => within(await screen.findByRole('region', { name: 'Get started' }));
const current = async () => {
  const found = await steps();
  return found.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step')?.textContent;
};

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('the first steps', () => {
  it('add an asset and invite to it by one button, with what each pays, and name what happens next', async () => {
    let assets: OwnedAsset[] = [];
    const sent: { path: string; body: unknown }[] = [];
    const link = 'https://hours.example.org/invite/k7m2';
    fakeServer((request) => {
      const { method, path, body } = request;
      if (method === 'GET') return serveLists({ assets })(request);
      sent.push({ path, body });
      const entries = [anEntry(1, 'ana', 41), { ...anEntry(9, null, null), invitation_id: 9 }];
      if (path === '/api/assets/') assets = [unused({ name: 'Gym' })];
      else if (path.endsWith('/invitations/')) {
        assets = [unused({ name: 'Gym', shared_with: entries })];
        const invitation = { id: 9, link, expires_at: '2030-01-07T12:00:00.000Z', monthly_hours_allocated: 40 };
        return { status: 201, json: { ...assets[0]!, invitation } };
      } else if ((body as { username: string }).username === 'kim')
        return errorReply(404, 'user_not_found', 'User "kim" not found');
      else assets = [unused({ name: 'Gym', shared_with: entries.slice(0, 1) })];
      return { status: 201, json: assets[0]! };
    });
    const user = await openApp('/dashboard');
    expect(await current()).toMatch(/^1Add/);
    await user.type(await screen.findByLabelText('Asset Name'), 'Gym');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '16.20');
    expect(screen.getByRole('button', { name: 'Create Asset' })).toBeTruthy();
    await user.type(screen.getByLabelText('Username'), 'ana{Enter}');
    const stepper = await screen.findByRole('spinbutton', { name: 'Hours a month for ana' });
    await user.clear(stepper);
    await user.click(screen.getByRole('button', { name: 'Create and invite' }));
    await waitFor(() => expect(document.activeElement).toBe(stepper));
    await user.type(stepper, '41');
    await user.type(screen.getByLabelText('Username'), 'ben{Enter}');
    await user.click(screen.getByRole('button', { name: 'Remove ben' }));
    const remove = screen.getByRole('button', { name: 'Remove ana' });
    await waitFor(() => expect(document.activeElement).toBe(remove));
    // Who is still in the field counts, too.
    await user.type(screen.getByLabelText('Username'), 'kim');
    const parts = screen.getByRole('region', { name: 'What each pays if everyone uses all their hours' });
    expect(
      within(parts)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Aana 41 h$8.20', 'Kkim 40 h$8.00', expect.stringMatching(/You\$0\.00$/)]);
    await user.click(screen.getByRole('button', { name: 'Create and invite' }));

    expect(await screen.findByDisplayValue(link)).toBeTruthy();
    expect(sent.map(({ path }) => path)).toEqual([
      '/api/assets/',
      '/api/assets/3/share/',
      '/api/assets/3/share/',
      '/api/assets/3/invitations/',
    ]);
    expect(sent[1]?.body).toEqual({ username: 'ana', monthly_hours_allocated: 41 });
    expect(screen.getByRole('heading', { name: 'ana joined. Waiting for the first Start.' })).toBeTruthy();
    expect((await steps()).getByText('2 of 3 steps done')).toBeTruthy();

    const running = { ...anEntry(1, 'ana', 41), active_since: '2026-11-21T12:00:00.000Z' };
    assets = [anAsset({ name: 'Gym', shared_with: [running] })];
    await act(() => queryClient.refetchQueries());
    expect(await screen.findByRole('heading', { name: 'ana on Gym' })).toBeTruthy();
    expect((await steps()).getByText('3 of 3 steps done')).toBeTruthy();
  });

  it('go on with sharing, and say why, if someone couldn’t be invited to what was added', async () => {
    let assets: OwnedAsset[] = [];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      if (request.path !== '/api/assets/') return { status: 400 };
      assets = [unused()];
      return { status: 201, json: unused() };
    });
    const user = await openApp('/dashboard');
    await user.click(await screen.findByRole('radio', { name: 'Streaming, music, cloud' }));
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '20');
    await user.type(screen.getByLabelText('Username'), 'ana');
    expect(screen.getByRole('region', { name: 'What each pays' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Create and invite' }));
    const failed = await screen.findByText(/^Failed to share asset/);
    expect(failed.textContent).toMatch(/^ana/);
    expect(await current()).toMatch(/^2Share/);
    await user.type(await screen.findByLabelText('Monthly Hours'), '20');
    await user.type(screen.getByLabelText('Username'), 'ben{Enter}');
    await waitFor(() => expect(screen.queryByText('ana')).toBeNull());
  });

  it('never ask for a Start of what is not measured, and end once someone accepts', async () => {
    const plain = (change: Partial<OwnedAsset> = {}) => unused({ measured: false, split_method: 'equal', ...change });
    let assets: OwnedAsset[] = [];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      assets = [plain()];
      return { status: 201, json: plain() };
    });
    const last = async () => (await steps()).getAllByRole('listitem')[2]?.textContent;
    const user = await openApp('/dashboard');
    await screen.findByLabelText('Asset Name');
    expect(await last()).toMatch(/^3First session/);
    await user.click(screen.getByRole('radio', { name: 'Streaming, music, cloud' }));
    expect(await last()).toMatch(/^3Accepted/);
    await user.click(screen.getByRole('radio', { name: 'Something else' }));
    expect(await last()).toMatch(/^3First session/);
    await user.click(screen.getByRole('radio', { name: 'Streaming, music, cloud' }));
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '20');
    await user.click(screen.getByRole('button', { name: 'Create Asset' }));
    await waitFor(async () => expect(await current()).toMatch(/^2Share/));
    expect(await last()).toMatch(/^3Accepted/);

    const offered = anEntry(1, 'ana', null);
    for (const [entry, heading, done] of [
      [{ ...offered, pending: true }, 'Waiting for ana to accept', '2 of 3 steps done'],
      [{ ...offered, pending: false }, 'ana joined.', '3 of 3 steps done'],
    ] as const) {
      assets = [plain({ shared_with: [entry] })];
      await act(() => queryClient.refetchQueries());
      expect(await screen.findByRole('heading', { name: heading })).toBeTruthy();
      expect((await steps()).getByText(done)).toBeTruthy();
      expect((await steps()).queryByText(/\bStart\b|First session/)).toBeNull();
    }
  });

  it('say how an asset is split that is not only split by use', async () => {
    fakeServer(serveLists({ assets: [unused({ base_percent: 30 })] }));
    await openApp('/dashboard');
    expect((await steps()).queryByText(/They only pay for the hours they use/)).toBeNull();
    expect((await steps()).getAllByText('30% of the price is split by allowance, the rest by use.')).toBeTruthy();
  });

  it('keep the link of an invitation until it has been passed on, and then wait', async () => {
    const invited = unused({ shared_with: [{ ...anEntry(9, null, null), invitation_id: 9 }] });
    const expires_at = '2030-01-07T12:00:00.000Z';
    const link = 'https://hours.example.org/invite/k7m2';
    let assets = [unused()];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      assets = [invited];
      return {
        status: 201,
        json: { ...invited, invitation: { id: 9, link, expires_at, monthly_hours_allocated: 20 } },
      };
    });
    const user = await openApp('/dashboard');
    await user.type(await screen.findByLabelText('Monthly Hours'), '20');
    await user.click(screen.getByRole('button', { name: 'Invite by link' }));
    expect(await screen.findByDisplayValue(link)).toBeTruthy();
    expect(await current()).toMatch(/^2Share/);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await screen.findByRole('heading', { name: 'Waiting for the first session' });
  });

  it('name no service before the user does, and no asset besides its card', async () => {
    fakeServer(serveLists({}));
    await openApp('/dashboard');
    await steps();
    expect(screen.queryByText(/Netflix|Spotify|Figma/)).toBeNull();
    cleanup();
    queryClient.clear();
    fakeServer(serveLists({ assets: [unused(), unused({ id: 4, name: 'Gym' })] }));
    await openApp('/dashboard');
    expect((await steps()).getByText(/allowance of your first asset/)).toBeTruthy();
    expect((await steps()).queryByText(/Films|Gym/)).toBeNull();
  });

  it('focus the form right after the first asset was added, and not when a dialog closes later', async () => {
    let assets: OwnedAsset[] = [];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      assets = [unused()];
      return { status: 201, json: unused() };
    });
    const focus = vi.spyOn(HTMLInputElement.prototype, 'focus');
    const user = await openApp('/dashboard');
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Add New Asset' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Asset' }));
    await user.type(await dialog.findByLabelText('Asset Name'), 'Films');
    await user.type(dialog.getByLabelText('Monthly Subscription Cost ($)'), '20{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Username')));
    expect(focus).toHaveBeenLastCalledWith({ preventScroll: true });

    const manage = screen.getByRole('button', { name: /^Manage/ });
    await user.click(manage);
    await screen.findByRole('dialog', { name: /^Manage Asset: Films/ });
    await user.click(screen.getByRole('button', { name: 'Close dialog' }));
    await screen.findByLabelText('Monthly Hours');
    await waitFor(() => expect(document.activeElement).toBe(manage));
  });

  it('leave the fields of an open dialog the only ones, and keep what was typed', async () => {
    fakeServer(serveLists({ assets: [unused()] }));
    const user = await openApp('/dashboard');
    await user.type(await screen.findByLabelText('Monthly Hours'), '40');
    await user.type(screen.getByLabelText('Username'), 'ana');
    await user.click(screen.getByRole('button', { name: 'Share' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Manage Asset: Films/ }));
    await waitFor(() => expect(screen.getAllByLabelText('Monthly Hours')).toHaveLength(1));
    expect(dialog.getByLabelText<HTMLInputElement>('Monthly Hours').value).toBe('');
    expect(dialog.queryByText(/unsaved/i)).toBeNull();

    // A reload or a link would lose what was typed below; closing the dialog, which has no edits, doesn't.
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
    void router.navigate({ to: paths.costs });
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(window.location.pathname).toBe('/dashboard');
    await user.click(dialog.getByRole('button', { name: 'Close dialog' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByLabelText<HTMLInputElement>('Monthly Hours').value).toBe('40');
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ana');
  });

  it('ask before what was typed is lost', async () => {
    fakeServer(serveLists({ assets: [unused()] }));
    const user = await openApp('/dashboard');
    await user.type(await screen.findByLabelText('Username'), 'ana');
    const question = async () => within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }));
    await user.click(screen.getByRole('link', { name: 'Shared With You' }));
    await user.click((await question()).getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ana');
    await user.click(screen.getByRole('button', { name: 'Skip for now' }));
    await user.click((await question()).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull());
  });

  it('stay while something is typed, whatever others do', async () => {
    let lists: Parameters<typeof serveLists>[0] = { assets: [unused()] };
    fakeServer((request) => serveLists(lists)(request));
    const user = await openApp('/dashboard');
    const username = await screen.findByLabelText('Username');
    await user.type(username, 'ana');
    const section = screen.getByRole('region', { name: 'Your Assets' });
    lists = { assets: [shared], shares: [aShare()] };
    await act(() => queryClient.refetchQueries());
    expect(await screen.findByRole('listitem', { name: 'Figma' })).toBeTruthy();
    expect(document.activeElement).toBe(username);

    await user.clear(username);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull());
    // What is below stays as it was.
    expect(screen.getByRole('region', { name: 'Your Assets' })).toBe(section);
  });

  it('can be skipped', async () => {
    fakeServer(serveLists({ assets: [unused()] }));
    const user = await openApp('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Skip for now' }));
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  });

  it.each([
    ['whose asset was used once, and is shared with no one now', { assets: [unused(), anAsset({ id: 4 })] }],
    ['whose only used asset is archived', { assets: [anAsset({ archived: true })] }],
    ['who uses what others share', { assets: [unused()], shares: [aShare()] }],
  ])('are not shown to someone %s', async (_, lists) => {
    fakeServer(serveLists(lists));
    await openApp('/dashboard');
    await screen.findByRole('region', { name: 'Your Assets' });
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });
});
