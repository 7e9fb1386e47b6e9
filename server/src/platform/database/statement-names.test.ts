import { describe, expect, test } from 'vitest';
import { createStatementNames } from './statement-names.ts';

describe('prepared statement names', () => {
  test('are the same everywhere for the same text, and short enough for PostgreSQL', () => {
    const name = createStatementNames().nameOf('select $1');
    expect(name).toMatch(/^hourshare_[\w-]{16}$/);
    expect(createStatementNames().nameOf('select $1')).toBe(name);
    expect(createStatementNames().nameOf('select $2')).not.toBe(name);
  });

  test('are only given to statements that are planned', () => {
    const { nameOf } = createStatementNames();
    const planned = ['\n    SELECT 1', 'with a as (select 1) select 1', 'insert into a', 'update a', 'delete from a'];
    const others = ['begin', 'commit', 'create table a ()', 'set local jit = on', 'vacuum (analyze) a', 'selected'];
    expect([...planned, ...others].filter((text) => nameOf(text) !== undefined)).toEqual(planned);
  });

  test('are limited in number, so that endlessly many texts stay unnamed', () => {
    const { nameOf } = createStatementNames({ max: 2 });
    const named = [1, 2, 3, 4].filter((number) => nameOf(`select ${number}`) !== undefined);
    expect(named).toEqual([1, 2]);
    expect(nameOf('select 1')).toBeDefined();
  });

  test('are withdrawn from a statement that the database has lost, with a logged reason', () => {
    const reasons: Error[] = [];
    const { nameOf, giveUp } = createStatementNames({ onGiveUp: (reason) => reasons.push(reason) });
    nameOf('select 1');
    giveUp('select 1', new Error('gone'));
    expect(nameOf('select 1')).toBeUndefined();
    expect(reasons).toEqual([new Error('gone')]);
  });
});
