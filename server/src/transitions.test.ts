import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FEATURES = join(import.meta.dirname, 'features');

/** The functions of all features, as `noun.name`, with their code. */
const functions = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing\//.test(file))
  .flatMap((file) =>
    readFileSync(join(FEATURES, file), 'utf8')
      .split(/^(?=(?:export )?(?:async )?(?:function|const) \w+)/m)
      .map((code) => ({ name: `${file.replace(/\W.*/s, '')}.${/(?:function|const) (\w+)/.exec(code)?.[1]}`, code })),
  );

/** Finds what a statement changes: with Kysely, in SQL, and where an insert meets a row. */
const UPDATES = [
  /updateTable\('(\w+)'\)\s*\.set\(\{([^}]*)\}/g,
  /\bupdate (\w+)(?: (?!set\b)\w+)?\s+set\s+(.*?)(?=\s(?:where|from|returning)\b|`)/gs,
  /\binsert into (\w+)[^`]*?\bdo update\s+set\s+(.*?)(?=\s(?:where|returning)\b|`)/gs,
];

/** @returns whether a statement in the code sets `table.column` */
function sets(code: string, column: string): boolean {
  const [table, name] = column.split('.');
  const assignment = new RegExp(`(?:^|,|\\s)${name}\\s*[=:]`);
  return UPDATES.some((update) =>
    [...code.matchAll(update)].some(([, updated, changes = '']) => updated === table && assignment.test(changes)),
  );
}

/** Who writes a column that others hear of, and the only functions that call them, because they also do what follows. */
const TRANSITIONS: [column: string, writers: Record<string, string[]>, others?: Record<string, string[]>][] = [
  ['shares.ended_at', { 'shares.endShares': ['shares.endShares'] }],
  ['assets.archived_at', { 'assets.setArchived': ['assets.archiveAsset', 'assets.restoreAsset'] }],
  ['assets.deleted_at', { 'assets.markDeleted': ['assets.deleteLockedAsset'] }],
  [
    'assets.owner_id',
    { 'assets.moveAssets': ['assets.deleteAssetsOfAccount'], 'assets.setOwner': ['shares.handOver'] },
  ],
  ['periods.closed_at', { 'periods.markClosed': ['statements.closePeriods'] }],
  [
    'sessions.ended_at',
    {
      // Nothing else ends a session that runs.
      'sessions.endOf': ['sessions.endStatement', 'sessions.endSessions'],
      // These change the end of one that has ended.
      'sessions.editSession': ['sessions.applyEdit'],
      'sessions.restoreSessions': ['sessions.restore'],
      'sessions.shortenLate': ['sessions.addLateEnd'],
    },
    {
      'sessions.endStatement': ['sessions.endSession'],
      'sessions.endSessions': [
        'sessions.endLate',
        'sessions.endAllExpired',
        'sessions.endExpired',
        'sessions.endOthers',
        'sessions.endSessionsOfAsset',
        'sessions.endSessionsOfMember',
        'sessions.endSessionsOfMeter',
        'sessions.endSessionsOfShares',
        'sessions.endUnmeasured',
      ],
    },
  ],
  ['objections.status', { 'sessions.resolveObjections': ['sessions.restore', 'sessions.upholdObjections'] }],
  ['settlements.status', { 'settlements.setStatus': ['settlements.changeSettlement'] }],
  ['deposits.confirmed_at', { 'deposits.confirmStep': ['deposits.confirm', 'deposits.giveBack'] }],
  ['deposits.returned_at', { 'deposits.setReturn': ['deposits.giveBack', 'deposits.withdraw'] }],
];

describe('only one function makes a change that others hear of', () => {
  it.each(TRANSITIONS)('%s', (column, writers, others = {}) => {
    const found = functions.filter(({ code }) => sets(code, column));
    expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(writers).toSorted());
    for (const [writer, expected] of Object.entries({ ...writers, ...others })) {
      const name = writer.replace(/.*\./, '');
      const call = new RegExp(`(?:store\\.|[^.\\w])${name}\\(\\s*(?=deps\\.db|db\\b|condition\\b|\\.\\.\\.)`);
      const callers = functions.filter(
        (each) => !(each.name === writer && (found.includes(each) || writer in others)) && call.test(each.code),
      );
      expect(callers.map((each) => each.name).toSorted()).toEqual(expected.toSorted());
    }
  });
});
