import { sql, type RawBuilder } from 'kysely';
import type { Names } from '../../../causes.ts';

// Expressions over people without an account that any store may use.

/** Returns the new name of a person without an account when the owner who added them is renamed: `Grandma (ana)`. Other names stay. */
export const renamedGuest = (name: RawBuilder<unknown>, { from, to }: Names): RawBuilder<string> => {
  const ending = ` (${from})`;
  return sql<string>`
    case when right(${name}, ${ending.length}::int) = ${ending}::text
      then left(${name}, -${ending.length}::int) || ${` (${to})`}::text else ${name} end`;
};
