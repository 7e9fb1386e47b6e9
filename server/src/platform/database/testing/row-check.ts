import {
  IdentifierNode,
  RawNode,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';
import { statementKey, type Kind, type RowTypes, type Shape } from './row-types.ts';

/** Compares the rows that raw SQL returns with their declared types. Source: docs/decisions/0009-tests-on-a-real-database.md. */
export class RowCheck implements KyselyPlugin {
  /** Values that did not match, as `file:line: column is …`. */
  readonly problems = new Set<string>();
  /** Columns that had a value other than null, as `file:line column`. */
  readonly columnsSeen = new Set<string>();
  readonly #rowTypes: RowTypes;
  readonly #running = new WeakMap<object, RootOperationNode>();

  constructor(rowTypes: RowTypes) {
    this.#rowTypes = rowTypes;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    this.#running.set(queryId, node);
    return node;
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const node = this.#running.get(queryId);
    if (node?.kind === 'RawNode') {
      for (const row of result.rows) this.#compare(node, row);
    } else if (node?.kind === 'SelectQueryNode') {
      for (const { selection } of node.selections ?? []) {
        if (selection.kind !== 'AliasNode' || !RawNode.is(selection.node)) continue;
        const column = IdentifierNode.is(selection.alias) ? selection.alias.name : '';
        for (const row of result.rows) this.#compare(selection.node, row[column]);
      }
    }
    return result;
  }

  #compare({ sqlFragments }: RawNode, value: unknown): void {
    const declared = this.#rowTypes[statementKey(sqlFragments)];
    if (!declared) return;
    const problem = mismatch(declared.shape, value);
    if (problem !== undefined) this.problems.add(`${declared.place}:${problem}`);
    if (typeof value !== 'object' || value === null) return;
    for (const [column, content] of Object.entries(value)) {
      if (content !== null) this.columnsSeen.add(`${declared.place} ${column}`);
    }
  }
}

/** Returns the columns of a row type that are not declared as null only. */
export function columnsWithValues(shape: Shape): string[] {
  const fields = shape.flatMap((kind) =>
    typeof kind === 'object' && 'fields' in kind ? Object.entries(kind.fields) : [],
  );
  const withValues = fields.filter(([, field]) => field.some((kind) => kind !== 'null'));
  return [...new Set(withValues.map(([name]) => name))];
}

/** Returns why a value matches no kind of the shape, or undefined when it matches one. */
function mismatch(shape: Shape, value: unknown): string | undefined {
  const reasons = shape.map((kind) => mismatchOf(kind, value));
  return reasons.includes(undefined) ? undefined : [...new Set(reasons)].join(' or');
}

function mismatchOf(kind: Kind, value: unknown): string | undefined {
  const plain = ` is ${value instanceof Date ? 'a Date' : JSON.stringify(value)}, not ${JSON.stringify(kind)}`;
  if (kind === 'null') return value === null ? undefined : plain;
  if (kind === 'Date') return value instanceof Date ? undefined : plain;
  if (typeof kind === 'string') return typeof value === kind ? undefined : plain;
  if ('literal' in kind) return value === kind.literal ? undefined : plain;
  if ('items' in kind)
    return Array.isArray(value) ? firstMismatch(value.map((item) => [kind.items, item, '[]'])) : plain;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return plain;
  const row = new Map(Object.entries(value));
  if ('values' in kind) return firstMismatch([...row].map(([name, each]) => [kind.values, each, name]));
  const undeclared = [...row.keys()].find((name) => !(name in kind.fields));
  if (undeclared !== undefined) return ` ${undeclared} is not declared`;
  // A missing column is undefined, which matches no kind.
  return firstMismatch(Object.entries(kind.fields).map(([name, field]) => [field, row.get(name), name]));
}

function firstMismatch(parts: [shape: Shape, value: unknown, name: string][]): string | undefined {
  for (const [shape, value, name] of parts) {
    const reason = mismatch(shape, value);
    if (reason !== undefined) return ` ${name}${reason}`;
  }
  return undefined;
}
