import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';

// Reads the type argument of every sql<…>`…` in the server's code. Types don't exist at run time, so this happens before the
// tests, which compare rows with them (row-check.ts).

/** The kinds of value allowed; any one of them matches. */
export type Shape = Kind[];
export type Kind =
  | 'null'
  | 'string'
  | 'number'
  | 'boolean'
  | 'Date'
  | { literal: string }
  | { items: Shape }
  | { values: Shape }
  | { fields: Record<string, Shape> };

export interface RowType {
  /** `file:line` of the declaration. */
  place: string;
  shape: Shape;
}

/** Declared types by statementKey. */
export type RowTypes = Record<string, RowType>;

/** Identifies a statement by the fixed parts of its template. */
export const statementKey = (fragments: readonly string[]): string => JSON.stringify(fragments);

const server = fileURLToPath(new URL('../../../../', import.meta.url));
const cache = join(server, '../node_modules/.cache/hourshare-row-types.json');

interface Cached {
  /** Hash of each file the types depend on, by path. */
  sources: Record<string, string>;
  rowTypes: RowTypes;
}

/** Returns the row types that the server's code declares. The compiler takes seconds, so they are cached until a source changes. */
export async function readRowTypes(): Promise<RowTypes> {
  const roots = readdirSync(join(server, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(?:^|[\\/])testing[\\/]/.test(file))
    .map((file) => join(server, 'src', file))
    .filter((file) => readFileSync(file, 'utf8').includes('sql<'));
  const known = existsSync(cache) ? (JSON.parse(readFileSync(cache, 'utf8')) as Cached) : undefined;
  if (known && isCurrent(known, roots)) return known.rowTypes;
  // Loading the compiler takes a second as well.
  const { default: compiler } = await import('typescript');
  const made = compile(compiler, roots);
  mkdirSync(dirname(cache), { recursive: true });
  const unfinished = `${cache}.${randomUUID()}`;
  writeFileSync(unfinished, JSON.stringify(made));
  renameSync(unfinished, cache);
  return made.rowTypes;
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

const isCurrent = ({ sources }: Cached, roots: string[]): boolean =>
  roots.every((file) => file in sources) &&
  Object.entries(sources).every(([file, hash]) => existsSync(file) && hashOf(file) === hash);

function compile(compiler: typeof ts, roots: string[]): Cached {
  const config = compiler.getParsedCommandLineOfConfigFile(
    join(server, 'tsconfig.json'),
    { types: [] },
    {
      ...compiler.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(compiler.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  const program = compiler.createProgram(roots, config?.options ?? {});
  const checker = program.getTypeChecker();
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'));
  const rowTypes: RowTypes = {};
  for (const source of own) {
    const visit = (node: ts.Node): void => {
      compiler.forEachChild(node, visit);
      if (!compiler.isTaggedTemplateExpression(node) || node.tag.getText(source) !== 'sql') return;
      const [row] = node.typeArguments ?? [];
      if (!row) return;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const place = `${relative(join(server, 'src'), source.fileName)}:${line + 1}`;
      const shape = shapeOf(compiler, checker, checker.getTypeFromTypeNode(row), place);
      const key = statementKey(fragmentsOf(compiler, node.template));
      const same = rowTypes[key];
      if (same && JSON.stringify(same.shape) !== JSON.stringify(shape)) {
        throw new Error(`${same.place} and ${place} have the same SQL and different types.`);
      }
      rowTypes[key] = { place, shape };
    };
    visit(source);
  }
  const files = [...own.map(({ fileName }) => fileName), join(server, '../package-lock.json')];
  return { sources: Object.fromEntries(files.map((file) => [file, hashOf(file)])), rowTypes };
}

const fragmentsOf = (compiler: typeof ts, template: ts.TemplateLiteral): string[] =>
  compiler.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];

function shapeOf(compiler: typeof ts, checker: ts.TypeChecker, type: ts.Type, place: string): Shape {
  const { TypeFlags } = compiler;
  const inner = (each: ts.Type, name: string) => shapeOf(compiler, checker, each, `${place} ${name}`);
  const kindOf = (each: ts.Type): Kind => {
    if (each.isStringLiteral()) return { literal: each.value };
    if (each.flags & TypeFlags.Null) return 'null';
    if (each.flags & TypeFlags.String) return 'string';
    if (each.flags & TypeFlags.Number) return 'number';
    if (each.flags & TypeFlags.BooleanLike) return 'boolean';
    if (each.flags & (TypeFlags.Object | TypeFlags.Intersection)) {
      if (each.symbol?.name === 'Date') return 'Date';
      const [item] = checker.isArrayType(each) ? checker.getTypeArguments(each as ts.TypeReference) : [];
      if (item) return { items: inner(item, '[]') };
      const values = each.getStringIndexType();
      if (values) return { values: inner(values, '{}') };
      const fields = each
        .getProperties()
        .map((field) => [field.name, inner(checker.getTypeOfSymbol(field), field.name)]);
      if (fields.length > 0) return { fields: Object.fromEntries(fields) as Record<string, Shape> };
    }
    throw new Error(`${place} can't be checked at run time: ${checker.typeToString(each)}.`);
  };
  const kinds = (type.isUnion() ? type.types : [type]).map(kindOf);
  // TypeScript treats boolean as the union of true and false.
  return kinds.filter((kind, index) => kinds.indexOf(kind) === index);
}
