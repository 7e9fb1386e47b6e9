import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Statement } from '@hourshare/contract/statements';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Answer, CallOptions, TestApi } from './api.ts';
import { kept } from './kept.ts';
import { recordSessions } from './records.ts';

const HOUR = 3_600_000;

export interface Household {
  mira: SignedIn;
  ana: SignedIn;
  ben: SignedIn;
  asset: OwnedAsset;
  shareOfAna: SharedAsset;
  shareOfBen: SharedAsset;
}

/** The last instant before February of `household` closes, and the first one after. */
export const JUST_BEFORE = '2026-03-03T23:59:59.999Z';
export const CLOSED = '2026-03-04T00:00:00.000Z';

export const amounts = ({ lines }: Statement): Record<string, number> =>
  Object.fromEntries(lines.map(({ username, amount }) => [username, amount]));

/** Returns calls for tests of billing on an open API; each throws if the request fails. */
export function billingCalls(api: () => TestApi) {
  const expectSuccess = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
    const { status, body, text } = await answer;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return body;
  };
  const get = <T>(path: string, caller: SignedIn) => expectSuccess(api().call<T>('GET', path, { as: caller }));
  const send = <T>(method: string, path: string, options: CallOptions) =>
    expectSuccess(api().call<T>(method, path, options));
  const setClock = (instant: string) => {
    api().clock.now = new Date(instant);
  };

  /** Writes a session as the app would have stored it. */
  const record = (share: SharedAsset, from: string, hours: number) =>
    recordSessions(api().deps.db, [
      {
        share_id: share.id,
        started_at: new Date(from),
        ended_at: new Date(Date.parse(from) + hours * HOUR),
        ends_by: new Date(Date.parse(from) + 744 * HOUR),
      },
    ]);

  /** Creates Mira's asset of $20.00 since February 1, shared with Ana (60 h, used 30) and Ben (40 h, used 0.1) in February. */
  const create = async (changes: Record<string, unknown>): Promise<Household> => {
    setClock('2026-02-01T00:00:00Z');
    const mira = await api().register('mira');
    const ana = await api().register('ana');
    const ben = await api().register('ben');
    const asset = await api().addAsset(mira, { subscription_cost: 20 });
    if (Object.keys(changes).length > 0) await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: changes });
    const shareOfAna = await api().share(mira, asset, ana, 60);
    const shareOfBen = await api().share(mira, asset, ben, 40);
    await record(shareOfAna, '2026-02-03T08:00:00Z', 30);
    await record(shareOfBen, '2026-02-04T08:00:00Z', 0.1);
    setClock('2026-02-20T12:00:00Z');
    return { mira, ana, ben, asset, shareOfAna, shareOfBen };
  };
  const usual = kept(api, () => create({}));

  return {
    setClock,
    get,
    send,
    record,
    /** Accepts what restoring an asset after long offers its members again. */
    acceptAgain: async (asset: { id: number }, members: SignedIn[]) => {
      for (const as of members) {
        const { results } = await get<{ results: SharedAsset[] }>('/api/shared-assets/', as);
        const offer = results.find((each) => each.asset.id === asset.id);
        await send('POST', `/api/shared-assets/${offer?.id}/accept/`, { as });
      }
    },
    statementOf: (asset: { id: number }, month: string, caller: SignedIn) =>
      get<Statement>(`/api/assets/${asset.id}/statements/${month}/`, caller),
    statementsOf: async (asset: { id: number }, caller: SignedIn) =>
      (await get<{ results: Statement[] }>(`/api/assets/${asset.id}/statements/`, caller)).results,

    household: (changes?: Record<string, unknown>): Promise<Household> => (changes ? create(changes) : usual()),
  };
}
