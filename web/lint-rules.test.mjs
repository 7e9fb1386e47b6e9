import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root, tool } from '../scripts/processes.mjs';

const TSCONFIG = JSON.stringify({
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: { noEmit: true, jsx: 'react-jsx', lib: ['es2023', 'dom'] },
});

it('lint rejects what its rules forbid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-lint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const seeds = {
    'promise.ts no-floating-promises': 'export const f = () => {\n  Promise.resolve(1);\n};',
    'any.ts no-explicit-any': 'export const f = (a: any): unknown => a;',
    'log.ts no-console': "console.log('hello');",
    'note.ts no-warning-comments': ['// TO', 'DO: later\nexport const a = 1;'].join(''),
    'query.ts no-sql-from-text':
      'export const f = (db: { query(sql: string): void }, id: string) => db.query(`select ${id}`);',
    'raw.ts no-sql-from-text': "import { sql } from 'kysely';\nexport const f = (name: string) => sql.raw(name);",
    'html.tsx no-danger': "export const A = () => <p dangerouslySetInnerHTML={{ __html: '' }} />;",
    'image.tsx alt-text': 'export const A = () => <img src="/a.png" />;',
    'web/src/link.tsx addresses-in-paths': 'export const A = () => <a href="/">1</a>;',
    'web/src/path.ts addresses-in-paths': 'export const f = (id: number) => `/costs/${id}`;',
    'web/src/text.tsx text-in-catalog': 'export const A = () => <p>Nothing shared yet</p>;',
    'web/src/label.tsx text-in-catalog': 'export const A = () => <nav aria-label="Main" />;',
    'web/src/words.tsx text-in-catalog': 'export const A = ({ n }: { n: number }) => <p>{`${n} of them`}</p>;',
  };
  const files = Object.keys(seeds).map((each) => each.split(' ')[0] ?? '');
  const contents = Object.values(seeds).map((content, index) => [files[index], `${content}\n`]);
  const accepted = {
    'bound.ts': "import { sql } from 'kysely';\nexport const f = (id: number) => sql`select ${id}`;\n",
    'web/src/accepted.tsx': `declare const t: (message: string) => string;
export const A = ({ key }: { key: string }) => <p className="flex hidden" aria-label={t('Main')}>{key === 'Escape' ? t('Close') : 404}</p>;\n`,
  };
  for (const [file, content] of Object.entries({
    ...Object.fromEntries(contents),
    ...accepted,
    'tsconfig.json': TSCONFIG,
  })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const args = ['-c', join(root, '.oxlintrc.json'), '-f', 'unix', ...files, ...Object.keys(accepted)];
  const { stdout: output } = spawnSync(tool('oxlint'), args, { cwd: folder, encoding: 'utf8' });
  const found = [...output.matchAll(/^([^:\s]+):.*\(([\w-]+)\)\]$/gm)].map(([, file, rule]) => `${file} ${rule}`);
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(seeds).toSorted());
});
