import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, tool } from '../scripts/processes.mjs';

// A small project that follows every rule, and a copy that breaks each rule once.

/** @type {{ forbidden: { name: string, comment: string }[] }} */
const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const order = config.forbidden.flatMap(({ name }) =>
  [...(/^contract-([\w-]+)-below-([\w-]+)$/.exec(name) ?? [])].slice(1),
);
const NOUNS = [...new Set(order)];
/** The folders of nouns, with the one above each. */
const SUBJECTS = config.forbidden.flatMap(({ name }) => {
  const [, noun, subject, next] = /^([\w-]+)\/([\w-]+)-below-([\w-]+)$/.exec(name) ?? [];
  return noun === undefined ? [] : [{ name, folder: `server/src/features/${noun}`, subject, next }];
});

/** Files that the violations import and that break no rule. @type {Record<string, string>} */
const HOUSE = {
  ...Object.fromEntries(NOUNS.map((noun) => [`server/src/features/${noun}/service.ts`, ''])),
  ...Object.fromEntries(SUBJECTS.map(({ folder, next }) => [`${folder}/${next}/service.ts`, ''])),
  'contract/package.json': readFileSync(join(root, 'contract/package.json'), 'utf8'),
  'contract/src/errors.ts': "import { z } from 'zod';\nexport const A = z.string();\n",
  'contract/src/assets.ts': "import { A } from './errors.ts';\nexport const B = A;\n",
  'server/src/main.ts': "import './app.ts';\n",
  'server/src/app.ts': "import './features/assets/routes.ts';\nimport './deps.ts';\n",
  'server/src/deps.ts': "import type { Row } from './platform/database/database.ts';\nexport type Deps = Row;\n",
  'server/src/platform/clock.ts': 'export const now = 1;\n',
  'server/src/platform/database/database.ts':
    "import type { Kysely } from 'kysely';\nexport type Row = Kysely<unknown>;\n",
  'server/src/migrations/0001-first.ts': "import { sql } from 'kysely';\nexport const up = sql;\n",
  'server/src/features/assets/routes.ts': "import './service.ts';\nimport type {} from '../../deps.ts';\n",
  'server/src/features/assets/service.ts': "import './store.ts';\nimport './rules.ts';\n",
  'server/src/features/assets/store.ts':
    "import 'kysely';\nimport '../../platform/database/database.ts';\nimport '../usage/sql.ts';\n",
  'server/src/features/assets/rules.ts': "import '@hourshare/contract/assets';\n",
  'server/src/features/usage/sql.ts': "import 'kysely';\n",
  'server/src/features/assets/errors.ts': "import '@hourshare/contract/errors';\n",
  'server/src/features/shares/service.ts': "import '../../platform/clock.ts';\nimport '../assets/service.ts';\n",
  'server/src/features/shares/store.ts': '',
  'server/src/features/shares/rules.ts': "import '../assets/rules.ts';\n",
  'web/src/main.tsx': "import './app/page.tsx';\n",
  'web/src/app/page.tsx': "import '../features/assets/card.tsx';\nimport '../features/shares/card.tsx';\n",
  'web/src/features/assets/card.tsx': "import '../../ui/button.tsx';\nimport '../../platform/http/call.ts';\n",
  'web/src/features/assets/api.ts': '',
  'web/src/features/shares/card.tsx': "import '../assets/api.ts';\n",
  'web/src/ui/button.tsx': "import '../platform/http/call.ts';\n",
  'web/src/platform/http/call.ts': "import type { A } from '@hourshare/contract/errors';\nexport type C = typeof A;\n",
  'e2e/journey.spec.ts': "import '@hourshare/contract/errors';\n",
  'scripts/tool.mjs': '',
};

/** @type {[rule: string, file: string, content: string][]} */
const SEEDS = [
  .../** @type {[string, string, string][]} */ (
    NOUNS.slice(0, -1).map((noun, index) => [
      `${noun}-below-${NOUNS[index + 1]}`,
      // Expressions that stores join have the same order.
      `server/src/features/${noun}/${index % 2 ? 'sql' : 'upward'}.ts`,
      `import '../${NOUNS[index + 1]}/${index % 2 ? 'sql' : 'service'}.ts';`,
    ])
  ),
  .../** @type {[string, string, string][]} */ (
    NOUNS.slice(0, -1).map((noun, index) => [
      `contract-${noun}-below-${NOUNS[index + 1]}`,
      `contract/src/${noun}.ts`,
      `import './${NOUNS[index + 1]}.ts';`,
    ])
  ),
  .../** @type {[string, string, string][]} */ (
    SUBJECTS.map(({ name, folder, subject, next }) => [
      name,
      `${folder}/${subject}/upward.ts`,
      `import '../${next}/service.ts';`,
    ])
  ),
  ['subjects-have-an-order', 'server/src/features/usage/days/rules.ts', "import '../../assets/rules.ts';"],
  ['nouns-have-an-order', 'server/src/features/things/service.ts', "import '../assets/service.ts';"],
  ['stores-share-expressions', 'server/src/features/analytics/store.ts', "import '../assets/errors.ts';"],
  ['resolvable', 'server/src/platform/lost.ts', "import './nowhere.ts';"],
  ['no-cycles', 'server/src/platform/cycle-back.ts', "import type {} from './cycle.ts';"],
  ['tests-are-not-imported', 'server/src/platform/tested.ts', "import './testing/rows.ts';"],
  ['contract-stands-alone', 'contract/src/limits.ts', "import 'pg';"],
  ['server-without-web', 'server/src/platform/page.ts', "import '../../../web/src/platform/http/call.ts';"],
  ['web-without-server', 'web/src/platform/clock.ts', "import '../../../server/src/platform/clock.ts';"],
  ['outside-in', 'e2e/inside.spec.ts', "import '../server/src/platform/clock.ts';"],
  ['product-without-tools', 'server/src/platform/tools.ts', "import '../../../scripts/tool.mjs';"],
  ['main-is-the-process', 'server/src/features/accounts/service.ts', "import '../../main.ts';"],
  ['app-is-on-top', 'server/src/features/analytics/service.ts', "import '../../app.ts';"],
  ['no-more-programs', 'server/src/platform/shell.ts', "import 'node:child_process';"],
  ['platform-knows-no-feature', 'server/src/platform/mail.ts', "import '../features/assets/rules.ts';"],
  ['deps-below-features', 'server/src/config.ts', "import './features/assets/rules.ts';"],
  ['migrations-stand-still', 'server/src/migrations/0002-more.ts', "import '@hourshare/contract/assets';"],
  ['features-meet-at-the-door', 'server/src/features/sessions/service.ts', "import '../shares/store.ts';"],
  ['routes-are-http-only', 'server/src/features/shares/routes.ts', "import './store.ts';"],
  ['only-the-app-mounts-routes', 'server/src/features/shares/jobs.ts', "import './routes.ts';"],
  ['stores-do-not-decide', 'server/src/features/sessions/store.ts', "import './service.ts';"],
  ['jobs-and-mail-use-the-service', 'server/src/features/shares/mail.ts', "import './offers/store.ts';"],
  ['rules-are-pure', 'server/src/features/sessions/rules.ts', "import 'node:fs';"],
  ['errors-are-a-list', 'server/src/features/sessions/errors.ts', "import './rules.ts';"],
  [
    'sql-in-stores',
    'server/src/platform/query.ts',
    "import type { Kysely } from 'kysely';\nexport type Q = Kysely<1>;",
  ],
  ['engines-in-the-platform', 'server/src/platform/engine.ts', "import 'pg';"],
  ['web-platform-at-the-bottom', 'web/src/platform/show.ts', "import '../ui/button.tsx';"],
  [
    'web-platform-knows-no-noun',
    'web/src/platform/asset.ts',
    "import type { B } from '@hourshare/contract/assets';\nexport type D = typeof B;",
  ],
  ['offline-behind-its-entries', 'web/src/app/store.ts', "import '../platform/offline/storage.ts';"],
  [
    'ui-knows-no-noun',
    'web/src/ui/asset.tsx',
    "import type { B } from '@hourshare/contract/assets';\nexport type D = B;",
  ],
  ['features-below-app', 'web/src/features/accounts/form.tsx', "import '../../app/page.tsx';"],
  ['web-features-meet-in-api', 'web/src/features/sessions/panel.tsx', "import '../assets/card.tsx';"],
];
const SEEDS_NEED = {
  ...Object.fromEntries(NOUNS.map((noun) => [`server/src/features/${noun}/sql.ts`, ''])),
  [`contract/src/${NOUNS.at(-1)}.ts`]: '',
  'server/src/features/shares/offers/store.ts': '',
  'server/src/platform/cycle.ts': "import type {} from './cycle-back.ts';",
  'server/src/platform/testing/rows.ts': '',
  'web/src/platform/offline/storage.ts': '',
};

/** @param {Record<string, string>} files */
function build(files) {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-imports-'));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  mkdirSync(join(folder, 'node_modules/@hourshare'), { recursive: true });
  symlinkSync(join(folder, 'contract'), join(folder, 'node_modules/@hourshare/contract'));
  for (const name of ['kysely', 'pg', 'zod']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

/** @param {string} folder @param {string} format */
const check = (folder, format) =>
  spawnSync(tool('depcruise'), ['--config', join(root, '.dependency-cruiser.cjs'), '--output-type', format, '.'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 280_000,
    maxBuffer: 64 * 1024 * 1024,
  });

describe('the import check', () => {
  /** @type {string[]} */
  const folders = [];
  let house = '';
  let broken = '';
  beforeAll(() => {
    const seeds = Object.fromEntries(SEEDS.map(([, file, content]) => [file, `${content}\n`]));
    house = build(HOUSE);
    broken = build({ ...HOUSE, ...SEEDS_NEED, ...seeds });
    folders.push(house, broken);
  });
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

  it('accepts a project that follows every rule', () => {
    expect(check(house, 'err')).toMatchObject({ status: 0 });
  });

  it('finds each seeded violation and nothing else', () => {
    /** @type {{ rule: { name: string }, from: string }[]} */
    const violations = JSON.parse(check(broken, 'json').stdout).summary.violations;
    const found = [...new Set(violations.map(({ rule, from }) => `${rule.name} ${from}`))];
    expect(found.toSorted()).toEqual(SEEDS.map(([rule, file]) => `${rule} ${file}`).toSorted());
  });

  it('fails and says where the code belongs', () => {
    const { stdout, status } = check(broken, 'err-long');
    expect(status).toBeGreaterThan(0);
    // The tool wraps its lines.
    const text = stdout.replaceAll(/\s+/g, ' ');
    for (const { comment } of config.forbidden) expect(text).toContain(comment);
  });

  it('has a seeded violation for each rule', () => {
    expect(SEEDS.map(([rule]) => rule).toSorted()).toEqual(config.forbidden.map(({ name }) => name).toSorted());
  });
});
