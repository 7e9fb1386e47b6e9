import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { BODY_MAX_BYTES } from '@hourshare/contract/limits';
import { secretNames, settings } from '../../server/src/config.ts';
import { isInstalled, toolEnv } from './deployment-tools.mjs';
import { root } from '../../scripts/processes.mjs';

// Compares deploy/, .github/, and docs/operations.md with the product and with each other, and has the tools that are
// installed read what they are for.

const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');

/** @param {string} folder @returns {string[]} paths from the root */
const filesIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
    .toSorted();

const { version } = JSON.parse(read('package.json'));
/** Others describe these. */
const deployed = filesIn('deploy').filter(
  (file) => !/^deploy\/(?:archive\.md|(?:faults|release|tests)\/.*\.mjs$|prometheus\/|grafana\/)/.test(file),
);
const yamlFiles = [...filesIn('deploy'), ...filesIn('.github')].filter((file) => /\.ya?ml$/.test(file));
const operations = read('docs/operations.md');
/** @type {any} */
const compose = parse(read('deploy/compose.yaml'));
/** @type {any} */
const deployment = parse(read('deploy/kubernetes/base/deployment.yaml')).spec.template.spec;
const [container] = deployment.containers;
/** @type {any} */
const example = parse(read('deploy/kubernetes/example/kustomization.yaml'));
const exampleConfig = parse(example.patches[0].patch).data;
/** @type {any[]} */
const gatewayObjects = parseAllDocuments(read('deploy/kubernetes/base/gateway.yaml')).map((each) => each.toJS());
const dockerfile = read('deploy/Dockerfile');
const unit = read('deploy/hourshare.service');

/** @param {string} tool @param {string[]} args @param {string} [cwd] */
function runTool(tool, args, cwd = root) {
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd, env: toolEnv, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it.each(yamlFiles)('%s is YAML', (file) => {
  expect(parseAllDocuments(read(file)).flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
});

describe('settings', () => {
  /** Of PostgreSQL's image, Node.js, and compose.yaml. */
  const OTHERS = ['NODE_ENV', 'NODE_OPTIONS', 'POSTGRES_PASSWORD_FILE', 'SSL_CERT_DIR', 'SSL_CERT_FILE', 'SUBNET'];
  const known = new Set([...Object.keys(settings), ...secretNames.map((name) => `${name}_FILE`), ...OTHERS]);
  const namesIn = (/** @type {string} */ text) =>
    [...text.matchAll(/^#?([A-Z][A-Z\d_]+)=/gm)].map(([, name = '']) => name);

  /** @type {[place: string, names: string[]][]} */
  const places = [
    ['deploy/example.env', namesIn(read('deploy/example.env'))],
    [
      'deploy/compose.yaml',
      Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment)),
    ],
    [
      'deploy/hourshare.service',
      [...unit.matchAll(/^#?Environment=(.*)$/gm)].flatMap(([, line = '']) => namesIn(line.replaceAll(' ', '\n'))),
    ],
    [
      'deploy/Dockerfile',
      [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => namesIn(line.replaceAll(' ', '\n'))),
    ],
    ['deploy/kubernetes/base/config.yaml', Object.keys(parse(read('deploy/kubernetes/base/config.yaml')).data)],
    ['deploy/kubernetes/example/kustomization.yaml', Object.keys(exampleConfig)],
    [
      'deploy/kubernetes/example/secret.yaml',
      Object.keys(parse(read('deploy/kubernetes/example/secret.yaml')).stringData),
    ],
    ['deploy/kubernetes/base/deployment.yaml', container.env.map((/** @type {{ name: string }} */ { name }) => name)],
    ...readdirSync(join(root, 'docs'))
      .filter((file) => file.endsWith('.md'))
      .map((file) => /** @type {[string, string[]]} */ ([`docs/${file}`, namesIn(read(`docs/${file}`))])),
  ];

  it.each(places)('in %s exist', (_, names) => {
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are found where they are', () => {
    const found = Object.fromEntries(places);
    expect(places.filter(([place, names]) => place.startsWith('deploy/') && names.length === 0)).toEqual([]);
    expect(found['deploy/example.env']).toEqual(expect.arrayContaining(['SECRET', 'SMTP_URL', 'BACKUP_KEEP']));
    expect(found['docs/operations.md']).toContain('SMTP_URL');
  });

  it('in the files have values that the server accepts', () => {
    const data = { ...parse(read('deploy/kubernetes/base/config.yaml')).data, ...exampleConfig };
    const lines = [...read('deploy/example.env').matchAll(/^#?([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('"', ''),
    ]);
    /** @param {string[]} pair */
    const isRefused = ([name = '', value = '']) => {
      const setting = settings[/** @type {keyof typeof settings} */ (name)];
      return setting !== undefined && !setting.schema.safeParse(value).success;
    };
    expect([...Object.entries(data), ...lines].filter(isRefused)).toEqual([]);
    expect(isRefused(['REGISTRATION', 'maybe'])).toBe(true);
  });
});

describe('secrets', () => {
  it('are files in the containers of Compose, and nowhere in its settings', () => {
    for (const { environment = {}, secrets = [] } of Object.values(compose.services)) {
      const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
      // That of HourShare's role is read by the script that makes the role.
      const inSettings = secrets.filter((/** @type {string} */ name) => name !== 'database-password');
      expect(files.map(([, file]) => file)).toEqual(
        inSettings.map((/** @type {string} */ name) => `/run/secrets/${name}`),
      );
      expect(
        Object.keys(environment).filter((name) => secretNames.includes(name) || name.endsWith('PASSWORD')),
      ).toEqual([]);
      for (const name of secrets) expect(compose.secrets[name]).toEqual({ file: `../secrets/${name}` });
    }
    expect(compose.services.app.environment).toMatchObject({
      SECRET_FILE: '/run/secrets/secret',
      DATABASE_URL_FILE: '/run/secrets/database-url',
    });
    for (const file of ['.gitignore', '.dockerignore']) expect(read(file)).toMatch(/^\/?secrets\/?$/m);
    expect(dockerfile).toContain('rm -rf ./*.env secrets ');
  });

  it("are different for PostgreSQL's superuser and for HourShare's role, which isn't one", () => {
    const { environment, secrets, volumes } = compose.services.database;
    expect(environment).toEqual({ POSTGRES_PASSWORD_FILE: '/run/secrets/database-admin-password' });
    expect(secrets).toContain('database-password');
    expect(compose.services.app.secrets).toEqual(['secret', 'database-url']);
    expect(volumes).toContain('./database.sh:/docker-entrypoint-initdb.d/hourshare.sh:ro');
    const script = read('deploy/database.sh');
    expect(script).toContain('/run/secrets/database-password');
    expect(script).toContain("\ncreate role hourshare login password :'password';\n");
    expect(script).toContain('\ncreate database hourshare owner hourshare ');
    expect(operations).toContain('postgresql://hourshare:$(cat secrets/database-password)@database:5432/hourshare');
    for (const name of secrets) expect(operations).toContain(` > secrets/${name}\n`);
  });

  it('are files in the pods of Kubernetes, which only the server can read', () => {
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'hourshare' } }]);
    const [{ name, secret }] = deployment.volumes;
    const [mount] = container.volumeMounts;
    expect(secret).toEqual({ secretName: 'hourshare', defaultMode: 0o440 });
    expect(deployment.securityContext.fsGroup).toBe(deployment.securityContext.runAsGroup);
    expect(mount).toEqual({ name, mountPath: '/run/secrets/hourshare', readOnly: true });
    const lines = read('deploy/kubernetes/example/secret.yaml').matchAll(/^ {2}#?([A-Z_]+): /gm);
    const keys = [...lines].map(([, key = '']) => key);
    const mounted = container.env.filter((/** @type {{ name: string }} */ each) => each.name.endsWith('_FILE'));
    const optional = [
      ...read('deploy/kubernetes/example/kustomization.yaml').matchAll(/^ *#([A-Z_]+_FILE): (.*)$/gm),
    ].map(([, each, value]) => ({ name: each, value }));
    expect([...mounted, ...optional]).toEqual(
      keys.map((key) => ({ name: `${key}_FILE`, value: `${mount.mountPath}/${key}` })),
    );
  });

  it("are credentials of systemd's service in the unit's example", () => {
    const [, id, file] = /^#LoadCredential=(\w+):(.*)$/m.exec(unit) ?? [];
    expect(secretNames).toContain(id);
    expect(file).toBe(`/etc/hourshare/secrets/${id}`);
    expect(unit).toContain(`\n#Environment=${id}_FILE=%d/${id}\n`);
  });

  it('are credentials of each command that hourshare.sh runs', () => {
    const folder = temporaryFolder();
    const secrets = join(folder, 'secrets');
    const runScript = () => {
      // Prints its arguments instead of running a command.
      writeFileSync(join(folder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
      const script = join(folder, 'hourshare.sh');
      writeFileSync(script, read('deploy/hourshare.sh').replace('/etc/hourshare/secrets', secrets));
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      const { stdout } = spawnSync('sh', [script, 'admin', 'users', 'a b'], { env, encoding: 'utf8' });
      return stdout.trimEnd().split('\n');
    };
    const command = ['node', 'scripts/hourshare.mjs', 'admin', 'users', 'a b'];
    expect(runScript().slice(-6)).toEqual(['--working-directory=/opt/hourshare', ...command]);
    mkdirSync(secrets);
    for (const name of ['DATABASE_URL', 'SECRET', 'SECRET~']) writeFileSync(join(secrets, name), 'x\n');
    const args = runScript();
    expect(args.filter((each) => each.includes('SECRET~'))).toEqual([]);
    const unitName = /^--unit=(hourshare-command-\d+)$/.exec(args[0] ?? '')?.[1];
    expect(args.slice(-command.length)).toEqual(command);
    for (const name of ['DATABASE_URL', 'SECRET']) {
      expect(args).toContain(`--property=LoadCredential=${name}:${secrets}/${name}`);
      expect(args).toContain(`--setenv=${name}_FILE=/run/credentials/${unitName}.service/${name}`);
    }
  });
});

describe('everything agrees on', () => {
  it('the port', () => {
    const port = settings.PORT.fallback;
    expect(dockerfile).toContain(`PORT=${port}`);
    expect(dockerfile).toContain(`EXPOSE ${port}`);
    expect(compose.services.app.environment.PORT).toBe(Number(port));
    expect(compose.services.app.ports).toEqual([`127.0.0.1:\${PORT:-${port}}:${port}`]);
    expect(container.ports[0].containerPort).toBe(Number(port));
    for (const file of ['nginx.conf', 'haproxy.cfg', 'Caddyfile'])
      expect(read(`deploy/${file}`)).toMatch(new RegExp(`:${port}\\b`));
  });

  it('the health checks', () => {
    const served = read('server/src/platform/http/health.ts');
    const named = deployed.flatMap((file) => [...read(file).matchAll(/\/(?:\w+z)\b/g)].map(([path]) => path));
    expect(new Set(named)).toEqual(new Set(['/healthz', '/readyz']));
    for (const path of named) expect(served).toContain(`app.get('${path}'`);
    const pathOf = (/** @type {any} */ probe) => probe.httpGet.path;
    expect([container.startupProbe, container.livenessProbe, container.readinessProbe].map(pathOf)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ]);
  });

  it('how long the server may take to stop', () => {
    const seconds = Number(/STOP_MILLISECONDS = (\d+)/.exec(read('server/src/main.ts'))?.[1]) / 1000;
    expect(seconds).toBeGreaterThan(0);
    expect(Number.parseInt(compose.services.app.stop_grace_period, 10)).toBeGreaterThan(seconds);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(seconds);
    const pause = Number(container.lifecycle.preStop.exec.command[1]);
    expect(deployment.terminationGracePeriodSeconds).toBeGreaterThan(pause + seconds);
  });

  it('how long a body may be', () => {
    expect(read('deploy/nginx.conf')).toContain(`client_max_body_size ${BODY_MAX_BYTES / 1024}k;`);
  });

  it('how many event streams there may be', () => {
    const streams = Number(/STREAMS_MAX = (\d+)/.exec(read('server/src/platform/http/event-streams.ts'))?.[1]);
    expect(streams).toBeGreaterThan(0);
    const haproxy = read('deploy/haproxy.cfg');
    const servers = [...haproxy.matchAll(/^ {2}server /gm)].length;
    expect(servers).toBeGreaterThan(1);
    expect(Number(/^ {2}maxconn (\d+)$/m.exec(haproxy)?.[1])).toBeGreaterThanOrEqual(2 * servers * streams);
  });

  it('how long a response may pause', () => {
    const pause = Number(/connectionTimeout: (\d+)_000/.exec(read('server/src/platform/http/server-options.ts'))?.[1]);
    expect(pause).toBeGreaterThan(0);
    const waits = [
      /proxy_read_timeout (\d+)s/.exec(read('deploy/nginx.conf')),
      /timeout server (\d+)s/.exec(read('deploy/haproxy.cfg')),
      /response_header_timeout (\d+)s/.exec(read('deploy/Caddyfile')),
    ].map((match) => Number(match?.[1]));
    for (const wait of waits) expect(wait).toBeGreaterThan(pause);
    expect(gatewayObjects.at(-1).spec.rules.at(-1).timeouts).toEqual({ request: '0s' });
  });

  it('the version', () => {
    expect(compose.services.app.image).toBe(`hourshare:${version}`);
    expect(example.images).toEqual([{ name: 'hourshare', newName: 'registry.example.org/hourshare', newTag: version }]);
    expect(read('CHANGELOG.md')).toContain(`\n## ${version} - `);
  });
});

describe('the gateway', () => {
  const [plain, secure] = gatewayObjects.filter(({ kind }) => kind === 'HTTPRoute').map(({ spec }) => spec.rules);
  const filtersOf = (/** @type {any} */ rule) =>
    Object.assign({}, ...rule.filters.map((/** @type {any} */ { type: _type, ...filter }) => filter));

  it('redirects plain HTTP, except for calls', () => {
    const [calls, others] = plain;
    expect(calls).toEqual({ matches: [{ path: { type: 'PathPrefix', value: '/api' } }] });
    expect(filtersOf(others).requestRedirect).toEqual({ scheme: 'https', statusCode: 301 });
  });

  it('forbids scripts, frames, and content sniffing in redirects', () => {
    expect(filtersOf(plain.at(-1)).responseHeaderModifier.set).toEqual([
      { name: 'X-Content-Type-Options', value: 'nosniff' },
      { name: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
    ]);
  });

  it("passes on no request's id that a client made up", () => {
    expect(secure.length).toBeGreaterThan(1);
    for (const rule of secure) expect(filtersOf(rule).requestHeaderModifier.remove).toContain('X-Request-Id');
  });
});

describe('what others provide', () => {
  it('is pinned: images to a full version', () => {
    const images = [
      ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
      ...Object.values(compose.services).map(({ image }) => image),
    ];
    expect(images.length).toBeGreaterThan(4);
    for (const image of images) expect(image).toMatch(/^[\w/]+:v?\d+\.\d+(?:\.\d+)?(?:-bookworm(?:-slim)?)?$/);
  });

  it('is pinned: actions to a commit', () => {
    const uses = [...read('.github/workflows/ci.yml').matchAll(/uses: (.*)$/gm)].map(([, use = '']) => use);
    expect(uses.length).toBeGreaterThan(2);
    for (const use of uses) expect(use).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

describe('docs/operations.md', () => {
  /** kustomization.yaml lists the others in its folder. */
  const isListed = (/** @type {string} */ file) => /^deploy\/kubernetes\/base\/(?!kustomization)/.test(file);

  it.each(deployed.filter((file) => !isListed(file)))('explains %s', (file) => {
    expect(operations).toContain(`](../${file})`);
  });

  /** What the server's files contain, without what is put together at run time. */
  const sources = filesIn('server/src').filter((file) => /^[^.]+\.ts$/.test(file.slice('server/src/'.length)));
  // Those from Docker are last.
  const [, chapter = ''] = /\n## Messages\n([^]*?)\n### From Docker\n/.exec(operations) ?? [];
  const messages = [...chapter.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  );
  /** @param {string} text @param {RegExp} gap */
  const parts = (text, gap) =>
    text
      .split(gap)
      .map((part) => part.trim())
      .filter(Boolean);
  /** Returns whether a text has all parts of a message, in this order. @param {string} message @param {string} text */
  const matches = (message, text) => {
    let from = 0;
    for (const part of parts(message, /…/)) {
      const at = text.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return true;
  };
  const lines = sources.flatMap((file) => read(file).split('\n'));

  it.each(messages)('lists a message that occurs: %s', (message) => {
    expect(lines.filter((line) => matches(message, line))).not.toEqual([]);
  });

  it('lists every reason not to start', () => {
    const text = sources.map(read).join('\n');
    const created = text.matchAll(
      /(?:new StartupError|asStartupError)\(\s*(?:error, )?(["'`])((?:(?!\1)[^\\]|\\.)+)\1/g,
    );
    // That of asStartupError starts with what its callers pass.
    const reasons = [...created]
      .map(([, , reason = '']) => reason)
      .filter((reason) => !reason.startsWith('${problem}'));
    expect(reasons.length).toBeGreaterThan(20);
    expect(reasons.filter((reason) => !messages.some((message) => matches(message, reason)))).toEqual([]);
  });
});

describe.each(['operations', 'configuration', 'monitoring'])('docs/%s.md', (name) => {
  /** Returns the ids that a page's headings get, as GitHub makes them. @param {string} text */
  const idsIn = (text) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

  it('has links to files and headings that exist', () => {
    const page = `docs/${name}.md`;
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    expect(links.length).toBeGreaterThan(5);
    const broken = links.filter(([, target = '', heading]) => {
      const file = target ? join('docs', target) : page;
      return !existsSync(join(root, file)) || (heading !== undefined && !idsIn(read(file)).includes(heading));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

it.each(isInstalled('systemd-analyze') ? ['systemd-analyze'] : [])(
  '%s accepts the unit, and finds it restricted',
  (tool) => {
    const folder = temporaryFolder();
    // The program is not installed here, but any other will do.
    const file = join(folder, 'hourshare.service');
    const installed = unit.replace('ExecStart=node', `ExecStart=${process.execPath}`);
    for (const each of [installed.replaceAll(/^#(?=LoadCredential=|Environment=)/gm, ''), installed]) {
      writeFileSync(file, each);
      expect(runTool(tool, ['verify', '--man=no', file])).toEqual({ status: 0, output: '' });
    }
    const { output } = runTool(tool, ['security', '--offline=true', '--no-pager', file]);
    expect(Number(/exposure level for hourshare\.service: ([\d.]+)/.exec(output)?.[1])).toBeLessThan(1.5);
  },
);

it.each(isInstalled('docker-compose') ? ['docker-compose'] : [])('%s accepts compose.yaml', (tool) => {
  const folder = temporaryFolder();
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
  // Version 1, which Debian has, gets the name of a project only from its arguments.
  writeFileSync(join(folder, 'deploy', 'compose.yaml'), read('deploy/compose.yaml').replace(/^name: .*$/m, ''));
  const config = () =>
    runTool(tool, ['-p', 'hourshare', '-f', 'deploy/compose.yaml', '--env-file', 'hourshare.env', 'config'], folder);
  const settingsFile = join(folder, 'hourshare.env');
  const set = read('deploy/example.env');
  /** @param {string} content */
  const configOf = (content) => {
    writeFileSync(settingsFile, content);
    const { status, output } = config();
    expect({ status, output }).toMatchObject({ status: 0 });
    return parse(output);
  };
  const { services, networks, secrets } = configOf(set);
  expect(services.app.environment.TRUST_PROXY).toBe(networks.default.ipam.config[0].gateway);
  expect(secrets['database-url'].file).toBe(join(folder, 'secrets', 'database-url'));
  expect(services.database.ports).toBeUndefined();
  for (const { logging } of Object.values(services)) expect(logging).toEqual({ driver: 'local' });
  const other = configOf(set.replace('#PORT=3000', 'PORT=4000').replace('#SUBNET=172.30.83', 'SUBNET=10.1.2'));
  expect(other.services.app.ports).toEqual(['127.0.0.1:4000:3000/tcp']);
  expect(String(other.services.app.environment.PORT)).toBe('3000');
  expect(other.services.app.environment.TRUST_PROXY).toBe('10.1.2.1');
  expect(other.networks.default.ipam.config).toEqual([{ subnet: '10.1.2.0/24', gateway: '10.1.2.1' }]);
});

describe.each(isInstalled('kubectl') ? ['kubectl'] : [])('%s', (tool) => {
  /** @param {string} kustomization */
  function build(kustomization) {
    const folder = temporaryFolder();
    cpSync(join(root, 'deploy', 'kubernetes'), folder, { recursive: true });
    writeFileSync(join(folder, 'example', 'kustomization.yaml'), kustomization);
    const { status, output } = runTool(tool, ['kustomize', join(folder, 'example')]);
    expect({ status, output }).toMatchObject({ status: 0 });
    const objects = parseAllDocuments(output).map((document) => document.toJS());
    return (/** @type {string} */ kind) => objects.filter((each) => each.kind === kind);
  }
  const written = read('deploy/kubernetes/example/kustomization.yaml');

  it('puts the example together', () => {
    const find = build(written.replaceAll('hours.example.org', 'h.example.com'));
    const specOf = (/** @type {string} */ kind) => find(kind)[0].spec;
    const { template } = specOf('Deployment');
    expect(template.spec.containers[0].image).toBe(`registry.example.org/hourshare:${version}`);
    const labels = { 'app.kubernetes.io/name': 'hourshare' };
    expect(template.metadata.labels).toEqual(labels);
    expect(specOf('Service').selector).toEqual(labels);
    expect(specOf('NetworkPolicy').podSelector.matchLabels).toEqual(labels);
    expect(specOf('PodDisruptionBudget').selector.matchLabels).toEqual(labels);
    expect(find('Namespace')).toHaveLength(1);
    expect(find('ConfigMap')[0].data).toMatchObject({ APP_URL: 'https://h.example.com', REGISTRATION: 'invited' });
    const listeners = new Map(specOf('Gateway').listeners.map((/** @type {any} */ each) => [each.name, each]));
    expect(listeners.get('https').hostname).toBe('h.example.com');
    const [{ port }] = specOf('Service').ports;
    for (const { spec } of find('HTTPRoute')) {
      expect(listeners.has(spec.parentRefs[0].sectionName)).toBe(true);
      for (const { backendRefs = [] } of spec.rules) for (const each of backendRefs) expect(each.port).toBe(port);
    }
  });

  it('adds a certificate authority, and TLS inside the cluster', () => {
    const find = build(written.replaceAll(/^ {2}# {1,2}(?=-| )/gm, '  '));
    const { containers, volumes } = find('Deployment')[0].spec.template.spec;
    const names = containers[0].env.map((/** @type {{ name: string }} */ { name }) => name);
    expect(names.toSorted()).toEqual([
      'DATABASE_URL_FILE',
      'DATA_DIR',
      'NODE_EXTRA_CA_CERTS',
      'SECRET_FILE',
      'TLS_CERT_FILE',
      'TLS_KEY_FILE',
    ]);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(containers[0][probe].httpGet).toMatchObject({ scheme: 'HTTPS', port: 'http' });
    const volumeNames = (/** @type {{ name: string }[]} */ list) => list.map(({ name }) => name).toSorted();
    expect(volumeNames(containers[0].volumeMounts)).toEqual(['authority', 'secrets', 'tls']);
    expect(volumeNames(volumes)).toEqual(['authority', 'secrets', 'tls']);
  });
});
