import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/** Where a value stands in a statement. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  toJSON(): never {
    throw new TypeError(`The value of "${this.name}" isn't known while a statement is built.`);
  }
  [Symbol.toPrimitive](): never {
    return this.toJSON();
  }
}

/**
 * Compiles a statement once and runs it with different values. For the most frequent statements, whose text takes long to build.
 * `build` can place values, but not inspect them.
 */
export function prepared<Parameters extends object, Row>(
  build: (parameters: Parameters) => RawBuilder<Row>,
): (db: Database, parameters: Parameters) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  // oxlint-disable-next-line no-unsafe-type-assertion -- stands for values, which build can't look at
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Parameters;
  return async (db, parameters) => {
    compiled ??= build(slots).compile(db);
    const values = new Map<string, unknown>(Object.entries(parameters));
    const { rows } = await db.executeQuery<Row>({
      ...compiled,
      parameters: compiled.parameters.map((each) => valueOf(each, values)),
    });
    return rows;
  };
}

function valueOf(parameter: unknown, values: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(parameter)) for (const each of parameter) if (each instanceof Slot) each.toJSON();
  const value = parameter instanceof Slot ? values.get(parameter.name) : parameter;
  if (value === undefined)
    throw new TypeError(`A statement lacks ${parameter instanceof Slot ? `"${parameter.name}"` : 'a value'}.`);
  return value;
}
