// The import directions of docs/contributing.md. Each `comment` says where the code belongs instead.

/** The nouns that name folders everywhere, from the bottom up: each may use those before it. */
const NOUNS = [
  'outbox',
  'kept-answers',
  'installation',
  'security-events',
  'mail',
  'users',
  'sign-ins',
  'accounts',
  'assets',
  'periods',
  'shares',
  'usage',
  'sessions',
  'meters',
  'costs',
  'analytics',
  'statements',
  'settlements',
  'deposits',
  'calendar',
  'insights',
  'notifications',
  'exports',
  'backups',
  'administration',
];

/** The folders of each noun on the server, in the same order. @type {Record<string, string[]>} */
const SUBJECTS = {
  installation: ['sealed-texts'],
  'sign-ins': [
    'factors',
    'devices',
    'passwords',
    'email-changes',
    'two-step',
    'checks',
    'passkeys',
    'registration',
    'providers',
    'recovery',
  ],
  accounts: ['guests', 'reminders', 'deletion', 'administration'],
  assets: ['plans', 'terms', 'changes'],
  periods: ['plans', 'upkeep', 'owners', 'prices', 'renewals', 'terms', 'window'],
  shares: [
    'managers',
    'endings',
    'allowances',
    'trusted-owners',
    'agreements',
    'access-tokens',
    'offers',
    'invitations',
    'own',
    'handovers',
    'starts',
    'people',
  ],
  sessions: [
    'totals',
    'presses',
    'log',
    'requests',
    'objections',
    'edits',
    'late-presses',
    'recordings',
    'additions',
    'metered',
    'imported',
  ],
  meters: ['senders', 'totals', 'otlp', 'imports'],
  statements: ['explaining', 'costs', 'names', 'closing', 'reading', 'preview', 'replay', 'estimates'],
  insights: ['installation'],
  notifications: [
    'runs',
    'unsubscribe',
    'facts',
    'notices',
    'bell',
    'choices',
    'notice-mails',
    'timed-notices',
    'reminders',
    'deliveries',
    'push',
    'targets',
    'dispatch',
    'live',
  ],
  backups: ['daily'],
};

/** Before an invitation is read, due handovers happen, which end invitations. */
const MAY_POINT_UP = '^server/src/features/shares/invitations/service\\.ts$';

/** @param {string[]} names */
const anyOf = (names) => `(?:${names.join('|')})`;
const TEST = '\\.(?:test|spec)\\.tsx?$|/testing/';

/** A file of one role in any feature of the server. @param {string} role */
const serverRole = (role) => `^server/src/features/.+/${role}\\.ts$`;

/** These stores join what nouns above store: a list shows it in each row, and would need another statement for each noun. */
const LISTS = '^server/src/features/(?:assets|shares)/store\\.ts$';

const upward = NOUNS.slice(0, -1).map((noun, index) => ({
  name: `${noun}-below-${NOUNS[index + 1]}`,
  comment:
    'A noun uses those below it alone: announce what happens with deps.react, and list what follows in server/src/reactions.ts.',
  severity: 'error',
  from: { path: `^server/src/features/${noun}/`, pathNot: `${TEST}|${LISTS}` },
  to: { path: `^server/src/features/${anyOf(NOUNS.slice(index + 1))}/` },
}));

/** So that the folders of a noun don't need each other in a circle. */
const upwardInNouns = Object.entries(SUBJECTS).flatMap(([noun, subjects]) =>
  subjects.slice(0, -1).map((subject, index) => ({
    name: `${noun}/${subject}-below-${subjects[index + 1]}`,
    comment:
      'A folder of a noun uses those below it alone: what two of them need belongs in a third below both, or in the noun itself.',
    severity: 'error',
    from: { path: `^server/src/features/${noun}/${subject}/`, pathNot: `${TEST}|${MAY_POINT_UP}` },
    to: { path: `^server/src/features/${noun}/${anyOf(subjects.slice(index + 1))}/` },
  })),
);

/** What several nouns share on the wire is in fields.ts. */
const upwardInContract = NOUNS.slice(0, -1).map((noun, index) => ({
  name: `contract-${noun}-below-${NOUNS[index + 1]}`,
  comment: 'A noun of the contract uses those below it alone: what two of them need belongs in contract/src/fields.ts.',
  severity: 'error',
  from: { path: `^contract/src/${noun}\\.ts$` },
  to: { path: `^contract/src/${anyOf(NOUNS.slice(index + 1))}\\.ts$` },
}));

module.exports = {
  forbidden: [
    ...upward,
    ...upwardInNouns,
    ...upwardInContract,
    {
      name: 'subjects-have-an-order',
      comment: 'Every folder of a noun is listed above, in the order that says which others it may use.',
      severity: 'error',
      from: {
        path: '^server/src/features/[^/]+/[^/]+/',
        pathNot: `^server/src/features/${anyOf(Object.entries(SUBJECTS).map(([noun, subjects]) => `${noun}/${anyOf(subjects)}`))}/|${TEST}`,
      },
      to: {},
    },
    {
      name: 'nouns-have-an-order',
      comment: 'A folder of a feature is named after one of the nouns above, whose order says which others it may use.',
      severity: 'error',
      from: {
        path: '^(?:server|web)/src/features/',
        pathNot: `^(?:server|web)/src/features/${anyOf([...NOUNS, 'marketing'])}/`,
      },
      to: {},
    },
    {
      name: 'resolvable',
      comment: 'This import leads nowhere, so no rule can judge it: correct its path, or install the package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment: 'These files need each other: move what both need into a third that needs neither.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'tests-are-not-imported',
      comment: 'What a test and the product both need belongs in a file of the product.',
      severity: 'error',
      from: { path: '^(?:contract|server|web)/src/', pathNot: TEST },
      to: { path: '^(?:contract|server|web)/src/.*(?:\\.test\\.tsx?$|/testing/)' },
    },

    // 1. contract, server, web, e2e, bench
    {
      name: 'contract-stands-alone',
      comment:
        'The contract is what crosses the wire, and knows Zod alone: code that needs more belongs in server or web.',
      severity: 'error',
      from: { path: '^contract/src/', pathNot: TEST },
      to: { pathNot: '^contract/src/|/node_modules/zod/|^node_modules/zod/' },
    },
    {
      name: 'server-without-web',
      comment: 'The server never imports the web app: what both need to know belongs in the contract.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    {
      name: 'web-without-server',
      comment: 'The web app never imports the server: what both need to know belongs in the contract.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      name: 'outside-in',
      comment:
        'End-to-end tests and measurements see the app from outside: they may only import the contract, the OpenAPI document that the server publishes, and the mail server, sign-in provider, and push service of the tests.',
      severity: 'error',
      from: { path: '^(?:e2e|bench|attack|simulator|harness|demo|deploy)/', pathNot: '^deploy/tests/' },
      to: {
        path: '^(?:server|web)/src/',
        pathNot: '^server/src/(?:testing/(?:smtp|openid-provider|push-service)|platform/http/openapi)\\.ts$',
      },
    },
    {
      name: 'product-without-tools',
      comment: 'The product does not import scripts, tests or measurements: what it needs belongs in its own folders.',
      severity: 'error',
      from: { path: '^(?:contract|server|web)/src/' },
      to: { path: '^(?:e2e|bench|attack|simulator|harness|demo|deploy|docs|scripts)/' },
    },

    // 2. server: main → app → features → platform
    {
      name: 'main-is-the-process',
      comment: 'Nothing imports main.ts: it is the process. What you need belongs in app.ts, deps.ts or the platform.',
      severity: 'error',
      from: { path: '^server/src/' },
      to: { path: '^server/src/main\\.ts$' },
    },
    {
      name: 'app-is-on-top',
      comment:
        'app.ts and reactions.ts put features together and are imported by main.ts, admin.ts, and tests alone: pass what you need as an argument.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: `^server/src/(?:main|admin)\\.ts$|${TEST}` },
      to: { path: '^server/src/(?:app|reactions)\\.ts$' },
    },
    {
      name: 'platform-knows-no-feature',
      comment:
        'The platform would fit any product: code that knows a feature belongs in that feature, and settings, dependencies and features reach the platform as arguments.',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: TEST },
      to: { path: '^server/src/(?:features/|app\\.ts$|main\\.ts$|deps\\.ts$|config\\.ts$)' },
    },
    {
      name: 'no-more-programs',
      comment:
        'The server starts one program, in creation.ts, without a shell: do it in the process, so that no input becomes a command.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: `^server/src/platform/database/creation\\.ts$|${TEST}` },
      to: { path: '^(?:node:)?child_process$' },
    },
    {
      name: 'deps-below-features',
      comment: 'Features take their dependencies from deps.ts: what it needs of a feature belongs in the platform.',
      severity: 'error',
      from: { path: '^server/src/(?:deps|config)\\.ts$' },
      to: { path: '^server/src/features/' },
    },
    {
      name: 'migrations-stand-still',
      comment: 'A released migration never changes, so it must not import code that does: write out what it needs.',
      severity: 'error',
      from: { path: '^server/src/migrations/', pathNot: TEST },
      to: { path: '^server/src/(?!migrations/)|^contract/' },
    },
    {
      name: 'features-meet-at-the-door',
      comment:
        "Features meet only through each other's service.ts and errors.ts (rules may also use rules, stores sql).",
      severity: 'error',
      from: {
        path: `^server/src/features/([^/]+)/`,
        pathNot: `${TEST}|${serverRole('rules')}|${serverRole('(?:store|sql)')}`,
      },
      to: { path: '^server/src/features/', pathNot: `^server/src/features/$1/|${serverRole('(?:service|errors)')}` },
    },

    {
      name: 'stores-share-expressions',
      comment: "A store uses no other feature's code than the expressions in its sql.ts.",
      severity: 'error',
      from: { path: `^server/src/features/([^/]+)/(?:store|sql)\\.ts$` },
      to: { path: '^server/src/features/', pathNot: `^server/src/features/$1/|${serverRole('sql')}` },
    },

    // 3. in a feature: routes → service → store
    {
      name: 'routes-are-http-only',
      comment:
        'Routes prove who asks and call the service: SQL belongs in store.ts, and what surrounds it in service.ts.',
      severity: 'error',
      from: { path: serverRole('routes') },
      to: { path: `${serverRole('store')}|^server/src/platform/database/` },
    },
    {
      name: 'only-the-app-mounts-routes',
      comment: 'Only app.ts imports routes: what others need of them belongs in service.ts.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: `^server/src/app\\.ts$|${TEST}` },
      to: { path: serverRole('routes') },
    },
    {
      name: 'stores-do-not-decide',
      comment:
        'A store holds the SQL of its noun and calls nobody: decisions belong in service.ts, arithmetic in rules.ts.',
      severity: 'error',
      from: { path: serverRole('store') },
      to: { path: serverRole('(?:service|wire|routes|jobs|mail)') },
    },
    {
      name: 'jobs-and-mail-use-the-service',
      comment: 'Jobs and mail go through service.ts as routes do: SQL belongs in store.ts.',
      severity: 'error',
      from: { path: serverRole('(?:jobs|mail)') },
      to: { path: serverRole('store') },
    },
    {
      name: 'rules-are-pure',
      comment:
        'Rules decide and calculate without I/O, from the contract, other rules and the date library: what reads or writes belongs in service.ts or store.ts.',
      severity: 'error',
      from: { path: serverRole('rules') },
      to: { pathNot: `^contract/src/|${serverRole('rules')}|(?:^|/)node_modules/temporal-polyfill/` },
    },
    {
      name: 'errors-are-a-list',
      comment: 'errors.ts lists entries of the catalogue: it needs the contract and the platform alone.',
      severity: 'error',
      from: { path: serverRole('errors') },
      to: { pathNot: '^contract/src/|^server/src/platform/' },
    },
    {
      name: 'sql-in-stores',
      comment:
        'Only stores, platform/database and migrations import the query builder, for its types too: a query belongs in a store.ts, an expression that others join in a sql.ts; names of transactions and rows come from platform/database.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `${serverRole('(?:store|sql)')}|^server/src/platform/database/|^server/src/migrations/|^server/src/schema\\.ts$|${TEST}`,
      },
      to: { path: '(?:^|/)node_modules/kysely/' },
    },
    {
      name: 'engines-in-the-platform',
      comment: 'Only platform/database knows which engine runs: say what you need as a function there.',
      severity: 'error',
      from: { path: '^server/', pathNot: `^server/src/platform/database/|${TEST}` },
      to: { path: '(?:^|/)node_modules/(?:pg|@types/pg|@electric-sql/pglite)/' },
    },

    // 4. web: app → features → ui → platform
    {
      name: 'web-platform-at-the-bottom',
      comment: 'The platform serves everything and knows nothing above it: this belongs in ui, a feature, or app.',
      severity: 'error',
      from: { path: '^web/src/platform/', pathNot: TEST },
      to: { path: '^web/src/(?:ui|features|app)/|^web/src/main\\.tsx$' },
    },
    {
      name: 'web-platform-knows-no-noun',
      comment:
        'The platform knows the table of calls and who is signed in, and no other noun: this belongs in web/src/features/<noun>.',
      severity: 'error',
      from: { path: '^web/src/platform/', pathNot: TEST },
      to: { path: `^contract/src/${anyOf(NOUNS.filter((noun) => !['users', 'sign-ins'].includes(noun)))}\\.ts$` },
    },
    {
      name: 'offline-behind-its-entries',
      comment:
        'Only platform/offline stores what it erases at sign-out: use offline.ts, queue.ts, app-updates.ts, or worker.ts.',
      severity: 'error',
      from: { path: '^web/src/(?!platform/offline/)', pathNot: TEST },
      to: { path: '^web/src/platform/offline/(?:databases|query-persistence|sending|storage)\\.ts$' },
    },
    {
      name: 'ui-knows-no-noun',
      comment: 'ui has no domain word: a component that knows a noun belongs in web/src/features/<noun>.',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: {
        path: `^web/src/(?:features|app)/|^web/src/main\\.tsx$|^contract/src/${anyOf([...NOUNS, 'endpoints'])}\\.ts$`,
      },
    },
    {
      name: 'features-below-app',
      comment:
        'Features do not know the app around them: compose them in web/src/app/pages, and take addresses from web/src/platform/paths.ts.',
      severity: 'error',
      from: { path: '^web/src/features/', pathNot: TEST },
      to: { path: '^web/src/app/|^web/src/main\\.tsx$' },
    },
    {
      name: 'web-features-meet-in-api',
      comment:
        "A feature of the web app imports another one's calls (api.ts, or an -api.ts split from it) and words (-text.ts) alone, never its components: a page in web/src/app/pages composes them; what two need belongs in ui or platform.",
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/(?:$1/|[^/]+/(?:[a-z-]*api|[a-z-]+-text)\\.ts$)' },
    },
  ],
  options: {
    doNotFollow: { path: '(?:^|/)node_modules/' },
    exclude: { path: '^(?:contract|server|web)/dist/|^\\.cache/|^data/|^test-results/|^playwright-report/' },
    // Imports of types count too: they say just as well who knows whom.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // `source` leads from @hourshare/contract to its sources, whether or not it has been built.
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
    },
  },
};
