import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/** Where a parameter stands in a statement. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Returns a function that runs a statement, for those that are called most: its text is built once, because building it takes an eighth
 * of the server's time for a press. `build` may insert parameters into the text, but can't look at their values.
 */
export function prepared<Parameters extends object, Row>(
  build: (parameters: Parameters) => RawBuilder<Row>,
): (db: Database, parameters: Parameters) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  // oxlint-disable-next-line no-unsafe-type-assertion -- stands for values, which build can't look at
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Parameters;
  return async (db, parameters) => {
    compiled ??= build(slots).compile(db);
    const values = new Map(Object.entries(parameters));
    const { rows } = await db.executeQuery<Row>({
      ...compiled,
      parameters: compiled.parameters.map((value) => (value instanceof Slot ? values.get(value.name) : value)),
    });
    return rows;
  };
}
