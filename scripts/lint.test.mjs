import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, tool } from './processes.mjs';

// Libraries check lint, types, format and dead code. These tests show that each check is switched on.

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-lint-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param {Record<string, string>} files */
function write(files) {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

/** @param {string} name @param {string[]} args */
function check(name, ...args) {
  const { status, stdout, stderr } = spawnSync(tool(name), args, { cwd: folder, encoding: 'utf8', timeout: 280_000 });
  return { status, output: stdout + stderr };
}

const TSCONFIG = JSON.stringify({
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: { noEmit: true, jsx: 'react-jsx', lib: ['es2023', 'dom'] },
  include: ['*.ts', '*.tsx'],
});

// Joined, because the structure check would find it here.
const ONLY = ['it', 'only'].join('.');

/** Text of this file has moved into the catalogs. */
const CATALOGED = 'web/src/app/layout/skip-link.tsx';

/** @type {[rule: string, file: string, content: string][]} */
const LINT_SEEDS = [
  ['no-floating-promises', 'a.ts', 'export const f = () => {\n  Promise.resolve(1);\n};\n'],
  ['no-misused-promises', 'a.ts', 'export const f = (p: Promise<boolean>) => (p ? 1 : 2);\n'],
  ['await-thenable', 'a.ts', 'export const f = async () => await 1;\n'],
  ['no-explicit-any', 'a.ts', 'export const f = (a: any): unknown => a;\n'],
  ['no-non-null-assertion', 'a.ts', 'export const f = (a: string | null): string => a!;\n'],
  ['no-unsafe-type-assertion', 'a.ts', "export const f = (a: unknown) => a as 'b';\n"],
  [
    'switch-exhaustiveness-check',
    'a.ts',
    "export function f(a: 'x' | 'y') {\n  switch (a) {\n    case 'x':\n      return 1;\n  }\n  return 2;\n}\n",
  ],
  ['only-throw-error', 'a.ts', "export const f = () => {\n  throw 'no';\n};\n"],
  ['no-console', 'a.ts', "console.log('hello');\n"],
  ['no-default-export', 'a.ts', 'export default 1;\n'],
  ['no-barrel-file', 'a.ts', "export * from './b.ts';\n"],
  [
    'no-sql-from-text',
    'a.ts',
    'export const f = (db: { query(sql: string): void }, id: string) => db.query(`select ${id}`);\n',
  ],
  ['no-sql-from-text', 'a.ts', "import { sql } from 'kysely';\nexport const f = (name: string) => sql.raw(name);\n"],
  ['addresses-in-paths', 'web/src/a.tsx', 'export const A = () => <a href="/">Home</a>;\n'],
  ['addresses-in-paths', 'web/src/a.ts', 'export const f = (id: number) => `/costs/${id}`;\n'],
  ...[
    '<p>Nothing shared yet</p>',
    '<p>{n === 0 ? "none" : n}</p>',
    '<nav aria-label="Main" />',
    '<p title={`Used by ${n}`} />',
    '<p>{format("No sessions yet.")}</p>',
    '<p>{`${n} of them`}</p>',
  ].map(
    (text) =>
      /** @type {[string, string, string]} */ ([
        'text-in-catalog',
        CATALOGED,
        `export const A = ({ n, format }: { n: number; format: (text: string) => string }) => <div>{format(String(n))}${text}</div>;\n`,
      ]),
  ),
  [
    'rules-of-hooks',
    'a.tsx',
    "import { useState } from 'react';\nexport function A({ b }: { b: boolean }) {\n  if (b) useState(1);\n  return null;\n}\n",
  ],
  [
    'exhaustive-deps',
    'a.tsx',
    "import { useEffect } from 'react';\nexport function A({ b }: { b: () => void }) {\n  useEffect(() => b(), []);\n  return null;\n}\n",
  ],
  ['no-danger', 'a.tsx', "export const A = () => <p dangerouslySetInnerHTML={{ __html: '' }} />;\n"],
  ['alt-text', 'a.tsx', 'export const A = () => <img src="/a.png" />;\n'],
  [
    'no-focused-tests',
    'a.test.ts',
    `import { expect, it } from 'vitest';\n${ONLY}('counts', () => expect(1).toBe(1));\n`,
  ],
];

describe('npm run lint', () => {
  // Given the folder instead of a file, the linter would follow the link to every installed package.
  const lint = (/** @type {string} */ file) => check('oxlint', '-c', join(root, '.oxlintrc.json'), '-f', 'unix', file);

  it.each(LINT_SEEDS)('rejects what %s forbids', (rule, file, content) => {
    write({ 'tsconfig.json': TSCONFIG, 'b.ts': 'export const b = 1;\n', [file]: content });
    const { status, output } = lint(file);
    expect(output).toMatch(new RegExp(`^${file}:.*\\(${rule}\\)\\]$`, 'm'));
    expect(status).not.toBe(0);
  });

  it('accepts messages, and words that nobody reads', () => {
    write({
      'tsconfig.json': TSCONFIG,
      'web/src/lib/messages.ts': 'export const t = (message: string) => message;\n',
      [CATALOGED]: `import { t } from '../../lib/messages.ts';
export const A = ({ key, classes }: { key: string; classes: (text: string) => string }) => (
  <p className={classes('flex hidden')} id="Main" data-look="Quiet" aria-label={t('Main')}>
    {key === 'Escape' ? t('Close') : \`\${key} ·\`} – 404
  </p>
);
`,
    });
    expect(lint(CATALOGED)).toMatchObject({ status: 0 });
  });

  it('accepts bound values in SQL', () => {
    write({
      'tsconfig.json': TSCONFIG,
      'a.ts':
        "import { sql } from 'kysely';\nexport const f = (id: number) => sql`select ${id}`;\nexport const now = sql.raw('now()');\n",
    });
    expect(lint('a.ts')).toMatchObject({ status: 0 });
  });
});

describe('npm run typecheck', () => {
  it('rejects a wrong type, and an index that may be missing', () => {
    write({ 'tsconfig.json': TSCONFIG, 'a.ts': "export const a: number = '1';\nexport const b: string = ['c'][0];\n" });
    const { status, output } = check('tsc', '-p', '.');
    expect(status).not.toBe(0);
    expect(output).toContain('a.ts(1,14): error TS2322');
    expect(output).toContain('a.ts(2,14): error TS2322');
  });
});

describe('npm run format:check', () => {
  it('rejects an unformatted file', () => {
    write({ 'a.ts': 'export const a = "1"\n' });
    cpSync(join(root, '.prettierrc'), join(folder, '.prettierrc'));
    const { status, output } = check('prettier', '--check', '.');
    expect(status).not.toBe(0);
    expect(output).toContain('a.ts');
  });
});

describe('npm run dead-code', () => {
  it('rejects unused files, exports and dependencies, and unlisted dependencies', () => {
    cpSync(join(root, 'knip.json'), join(folder, 'knip.json'));
    const workspace = (/** @type {string} */ name, dependencies = {}) =>
      JSON.stringify({ name: `@hourshare/${name}`, version: '1.0.0', type: 'module', dependencies });
    write({
      'package.json': JSON.stringify({ name: 'hourshare', private: true, workspaces: ['contract', 'server', 'web'] }),
      'contract/package.json': workspace('contract'),
      'server/package.json': workspace('server', { pino: '1.0.0' }),
      'server/src/main.ts': "import { used } from './app.ts';\nimport 'jose';\nused();\n",
      'server/src/app.ts': 'export const used = () => 1;\nexport const deadExport = 1;\n',
      'server/src/dead-file.ts': 'export const a = 1;\n',
      'web/package.json': workspace('web'),
    });
    const { status, output } = check('knip', '--no-progress', '--no-config-hints');
    expect(status).not.toBe(0);
    expect(output).toMatch(/Unused files \(1\)\s+server\/src\/dead-file\.ts/);
    expect(output).toMatch(/Unused dependencies \(1\)\s+pino/);
    expect(output).toMatch(/Unlisted dependencies \(1\)\s+jose/);
    expect(output).toMatch(/Unused exports \(1\)\s+deadExport/);
  });
});
