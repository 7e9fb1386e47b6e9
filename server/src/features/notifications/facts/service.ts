import type { Deps } from '../../../deps.ts';
import type { MessageKind, OutboxMessages, OutboxMessage } from '../../outbox/service.ts';
import * as store from './store.ts';

/** What the notices of some messages name, read at once for all of them. */
export interface Facts {
  assets: Map<number, store.AssetFacts>;
  shares: Map<number, store.ShareFacts>;
  sessions: Map<number, store.SessionFacts>;
  lines: store.LineFacts[];
  marked: Map<number, store.MarkedLine>;
  settlements: Map<number, store.SettlementFacts>;
}

const byId = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]));

/** Returns a message's data as its kind has it. */
export const dataOf = <Kind extends MessageKind>(_kind: Kind, message: OutboxMessage): OutboxMessages[Kind] =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- appendMessage stored it with its kind
  message.data as unknown as OutboxMessages[Kind];

export async function readFacts({ db, clock }: Deps, messages: OutboxMessage[]): Promise<Facts> {
  const messagesOf = <Kind extends MessageKind>(kind: Kind) =>
    messages.filter((message) => message.kind === kind).map((message) => ({ message, data: dataOf(kind, message) }));
  const shares = await store.readShares(
    db,
    messages.flatMap(({ share_id: id }) => (id === null ? [] : [id])),
  );
  const assetIds = [
    ...messages.flatMap(({ asset_id: id }) => (id === null ? [] : [id])),
    ...shares.map(({ asset_id: id }) => id),
  ];
  return {
    shares: byId(shares),
    assets: byId(await store.readAssets(db, [...new Set(assetIds)], clock())),
    sessions: byId(
      await store.readSessions(
        db,
        messagesOf('session.ended').map(({ data }) => data.session_id),
      ),
    ),
    lines: await store.readLines(
      db,
      messagesOf('period.closed').flatMap(({ data }) => data.statement_id ?? []),
    ),
    marked: byId(
      await store.readMarkedLines(
        db,
        messagesOf('lines.marked').flatMap(({ data }) => data.line_ids),
      ),
    ),
    settlements: byId(
      await store.readSettlements(
        db,
        messagesOf('settlement.changed').map(({ data }) => data.settlement_id),
      ),
    ),
  };
}
