import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { AssetSessionLog, SessionLog } from './session-log.tsx';

const now = new Date(2026, 10, 18, 12);
const at = (hour: number) => new Date(2026, 10, 17, hour).toISOString();
const edited = {
  kind: 'corrected',
  at: at(14),
  start_time: at(8),
  end_time: at(13),
  open_until: new Date(2026, 11, 4).toISOString(),
  objection_until: new Date(2026, 11, 3).toISOString(),
};
const session = {
  id: 5,
  asset_name: 'Figma',
  start_time: at(8),
  end_time: at(9),
  duration: 60,
  edited,
  objection: null,
};
const objection = { status: 'open', username: 'mira', objected_at: at(15), messages: [] as object[] };

beforeEach(() => void vi.setSystemTime(now));
afterEach(() => void vi.useRealTimers());
afterEach(cleanup);

/** Renders a log of one session; each change answers the session as it then is, or fails. */
function show(log: React.ReactNode, first: object, change: (path: string) => object) {
  let shown = first;
  const received = fakeServer(({ method, path }) => {
    if (method === 'GET')
      return { status: 200, json: { results: /logs|sessions/.test(path) ? [shown] : [], next: null } };
    const answer = change(path);
    if ('status' in answer && 'json' in answer) return answer as ReturnType<typeof errorReply>;
    shown = answer;
    return { status: 200, json: answer };
  });
  render(<QueryClientProvider client={new QueryClient()}>{log}</QueryClientProvider>);
  return { user: userEvent.setup(), changes: () => received.filter(({ method }) => method !== 'GET') };
}

describe('an owner', () => {
  const own = { ...session, username: 'ben' };

  it('objects with a message, and sees until when an agreement is possible', async () => {
    const { user, changes } = show(<AssetSessionLog assetId={3} />, own, () => ({ ...own, objection }));
    await user.click(await screen.findByRole('button', { name: /^Object to ben's edit of the session from/ }));
    expect(screen.getByText(/^Without agreement by Dec 4.*, the recorded times count\.$/)).toBeTruthy();
    const field = screen.getByLabelText<HTMLTextAreaElement>('Message (optional)');
    expect(document.activeElement).toBe(field);
    await user.type(field, 'It ran');
    expect(screen.getByText('6 of 280 characters')).toBeTruthy();
    expect(field.maxLength).toBe(280);
    await user.click(screen.getByRole('button', { name: 'Object' }));
    expect(await screen.findByText(/^You objected yesterday/)).toBeTruthy();
    expect(changes()).toMatchObject([{ path: '/api/assets/3/sessions/5/objection/', body: { text: 'It ran' } }]);
    expect(screen.queryByRole('button', { name: /^Object/ })).toBeNull();
  });

  it('keeps the focus where it is when other lists are reloaded', async () => {
    const [first, other] = [own, { ...own, id: 6, start_time: at(7) }];
    let sessions: object[] = [first, other];
    const held: (() => void)[] = [];
    fakeServer(async ({ method, path }) => {
      if (method !== 'GET') sessions = [{ ...first, objection }, other];
      else if (path.includes('/statements/') && !sessions.includes(first))
        await new Promise<void>((release) => held.push(release));
      return { status: 200, json: { results: path.includes('/sessions/') ? sessions : [], next: null } };
    });
    const client = new QueryClient();
    render(
      <QueryClientProvider client={client}>
        <AssetSessionLog assetId={3} />
      </QueryClientProvider>,
    );
    const user = userEvent.setup();
    const [button] = await screen.findAllByRole('button', { name: /^Object to/ });
    await user.click(button!);
    await user.click(screen.getByRole('button', { name: 'Object' }));
    await screen.findByText(/^You objected/);
    await user.click(screen.getByRole('button', { name: /^Object to/ }));
    await user.keyboard('It was ');
    expect(held).toHaveLength(1);
    held[0]!();
    await waitFor(() => expect(client.isMutating()).toBe(0));
    await user.keyboard('longer');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message (optional)').value).toBe('It was longer');
  });

  it('withdraws after a confirmation', async () => {
    const { user, changes } = show(<AssetSessionLog assetId={3} />, { ...own, objection }, () => ({
      ...own,
      objection: { ...objection, status: 'withdrawn' },
    }));
    await user.click(await screen.findByRole('button', { name: /^Withdraw/ }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(changes()).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Withdraw objection' }));
    expect(await screen.findByText('The objection was withdrawn, so the edit stands.')).toBeTruthy();
    expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/assets/3/sessions/5/objection/' }]);
  });

  it('cannot object to what was not edited, or once the month is closed', async () => {
    show(
      <AssetSessionLog assetId={3} />,
      { ...own, edited: { ...edited, open_until: null, objection_until: null } },
      () => own,
    );
    await screen.findByText(/^Edited/);
    expect(screen.queryByRole('button', { name: /^Object/ })).toBeNull();
  });
});

describe('a member', () => {
  it('reads the messages, and replies', async () => {
    const messages = [{ username: 'mira', text: 'It ran', at: at(15) }];
    const objected = { ...session, objection: { ...objection, messages } };
    const { user, changes } = show(<SessionLog shareId={7} assetId={1} />, objected, () => objected);
    expect(await screen.findByText(/^mira objected yesterday/)).toBeTruthy();
    expect(within(screen.getByRole('list', { name: 'Messages' })).getByText('It ran')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^Reply/ }));
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(screen.getByText('Write something first')).toBeTruthy();
    await user.type(screen.getByLabelText('Reply'), 'I forgot it');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(screen.queryByLabelText('Reply')).toBeNull());
    expect(changes()).toMatchObject([
      { path: '/api/shared-assets/7/logs/5/objection/replies/', body: { text: 'I forgot it' } },
    ]);
  });

  it('sees a removed session to which the owner objects, and restores it', async () => {
    const removed = { ...session, duration: 0, edited: { ...edited, kind: 'removed' }, objection };
    const { user, changes } = show(<SessionLog shareId={7} assetId={1} />, removed, () => ({
      ...session,
      end_time: edited.end_time,
      duration: 300,
      edited: { ...edited, kind: 'restored' },
      objection: { ...objection, status: 'agreed' },
    }));
    await user.click(await screen.findByRole('button', { name: /^Restore the recorded times/ }));
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Restore' }));
    expect(await screen.findByText('You agreed, so the recorded times count.')).toBeTruthy();
    expect(screen.getByText('5 h')).toBeTruthy();
    expect(changes()).toMatchObject([{ path: '/api/shared-assets/7/logs/5/objection/agree/' }]);
  });

  it('is told when the objection has just ended', async () => {
    const { user } = show(<SessionLog shareId={7} assetId={1} />, { ...session, objection }, () =>
      errorReply(409, 'objection_ended', 'This objection has just ended.'),
    );
    await user.click(await screen.findByRole('button', { name: /^Restore the recorded times/ }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Restore' }));
    expect(await dialog.findByText('This objection has just ended.')).toBeTruthy();
  });
});
