import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { structureProblems } from './structure.mjs';

/** @param {Record<string, string>} files */
const problemsOf = (files) => structureProblems(new Map(Object.entries(files)));

describe('the structure check', () => {
  it('accepts each kind of file in its place', () => {
    const files = [
      'package.json',
      'contract/src/assets.ts',
      'contract/src/endpoints.test.ts',
      'server/src/main.ts',
      'server/src/app.test.ts',
      'server/src/features/shares/store.ts',
      'server/src/schema.ts',
      'server/src/mails.ts',
      'server/src/messages/messages.ts',
      'server/src/messages/pt-BR.json',
      'server/src/features/shares/simultaneous-shares.test.ts',
      'server/src/features/statements/closing/service.ts',
      'server/src/features/insights/rules.ts',
      'web/src/styles/tokens.css',
      'web/vite.config.ts',
      'web/messages.mjs',
      'web/src/messages/pt-BR.json',
      'web/public/icon-192.png',
      'attack/requests.mjs',
      'demo/household.mjs',
      'server/src/migrations/0001-initial.ts',
      'server/src/migrations/index.ts',
      'server/src/platform/http/error-handler.ts',
      'server/src/platform/common-passwords.ts',
      'server/src/platform/database/testing/test-database.ts',
      'web/src/main.tsx',
      'web/src/app/pages/landing-page.tsx',
      'web/src/features/marketing/hero.tsx',
      'web/src/ui/button.test.tsx',
      'e2e/main-job.spec.ts',
      'docs/decisions/0001-one-dialect.md',
      'docs/security/keys.csv',
      'scripts/structure.mjs',
    ];
    expect(problemsOf(Object.fromEntries(files.map((file) => [file, '']))).join('\n')).toBe('');
  });

  it.each([
    ['tools/run.mjs', 'the top level has contract/, server/, web/'],
    ['contract/src/pricing.ts', 'the contract holds <noun>.ts'],
    ['server/src/features/billing/service.ts', 'a feature is one of outbox, accounts, assets'],
    ['server/src/features/statements/closing/by-hand/service.ts', 'a feature is one of outbox, accounts, assets'],
    ['server/vite.config.ts', 'code belongs in server/src'],
    ['server/src/features/assets/queries.ts', 'are routes.ts, service.ts, store.ts'],
    ['server/src/helper-for-mail.ts', 'platform/, features/<noun>/'],
    ['server/src/messages/recovery.ts', 'schema.ts, messages/, platform/'],
    ['server/src/migrations/add-table.ts', 'named 0001-what-it-does.ts'],
    ['web/src/features/teams/list.tsx', 'or marketing'],
    ['web/src/hooks/use-now.ts', 'main.tsx, app/, features/<noun>/, ui/, lib/'],
    ['web/src/ui/Button.tsx', "doesn't belong there"],
    ['docs/decisions/dialect.md', 'docs/decisions/<number>-what-was-decided.md'],
  ])('says where %s belongs', (file, advice) => {
    const [problem] = problemsOf({ [file]: '' });
    expect(problem).toContain(`${file}: doesn't belong there`);
    expect(problem).toContain(advice);
  });

  it.each([
    'server/src/platform/utils.ts',
    'web/src/lib/date-helpers.ts',
    'web/src/ui/common/box.tsx',
    'e2e/misc.ts',
    'web/src/ui/index.ts',
  ])('rejects the name %s', (file) => {
    expect(problemsOf({ [file]: '' })).not.toEqual([]);
  });

  // Joined, so that the check doesn't find it here.
  const marker = (/** @type {string[]} */ ...parts) => parts.join('.');

  it.each([
    marker('it', 'skip'),
    marker('test', 'only'),
    marker('describe', 'todo'),
    marker('it', 'concurrent', 'skip'),
  ])('rejects a test that says %s', (text) => {
    expect(problemsOf({ 'server/src/app.test.ts': `\n${text}('later')\n` })).toEqual([
      expect.stringContaining('server/src/app.test.ts:2'),
    ]);
  });

  it.each([['TO', 'DO'].join(''), ['FIX', 'ME'].join('')])('rejects the note %s', (note) => {
    expect(problemsOf({ 'web/src/main.tsx': `// ${note}: later` })).toEqual([
      expect.stringContaining('belongs in an issue'),
    ]);
  });

  it.each([
    ['ui/a.tsx', 'ml-auto'],
    ['ui/a.tsx', 'md:text-left'],
    ['ui/a.tsx', 'first:pl-0'],
    ['ui/a.tsx', 'before:right-full'],
    ['ui/a.tsx', 'border-r'],
    ['styles/a.css', 'padding-left: 0'],
  ])('rejects a side that Arabic would not mirror, %s: %s', (name, text) => {
    expect(problemsOf({ [`web/src/${name}`]: `x ${text}` })).toEqual([
      expect.stringContaining('name the side by reading direction'),
    ]);
  });

  it.each(['ms-auto', 'left-1/2', 'text-start', 'min-w-0', 'overflow-r', 'border-line', 'rounded-b-card'])(
    'accepts the class %s',
    (text) => {
      expect(problemsOf({ 'web/src/ui/a.tsx': `x ${text}` })).toEqual([]);
    },
  );
});

describe('documents named in code', () => {
  const code = (/** @type {string} */ name) => ({ 'server/src/app.ts': `\n// Source: ${name}, Rounding.\n` });

  it('can be in the repository', () => {
    expect(problemsOf({ ...code('docs/security.md'), 'docs/security.md': '' })).toEqual([]);
  });

  it.each(['security.md', '../shared/domain.md', 'docs/gone.md'])("can't be %s", (name) => {
    expect(problemsOf({ ...code(name), 'docs/security.md': '' })).toEqual([
      `server/src/app.ts: names ${name}, which is not in this repository; write its path from the root`,
    ]);
  });
});

// Only git knows what it ignores.
const hasGit = spawnSync('git', ['--version']).status === 0;

describe.runIf(hasGit)('node scripts/structure.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-structure-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('fails on a misplaced uncommitted file, and ignores what git ignores', () => {
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, '.gitignore'), '/data/\n');
    writeFileSync(join(folder, 'data', 'anything.ts'), '');
    const check = () => spawnSync('node', [join(import.meta.dirname, 'structure.mjs'), folder], { encoding: 'utf8' });
    expect(check()).toMatchObject({ status: 0 });

    writeFileSync(join(folder, 'notes.ts'), '');
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining("notes.ts: doesn't belong there") });
  });
});
