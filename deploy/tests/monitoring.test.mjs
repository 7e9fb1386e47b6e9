import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startServer } from '../../server/src/testing/server-process.ts';
import { root } from '../../scripts/processes.mjs';

const TOKEN = 'a-token-for-prometheus';
const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');

/** @type {{ groups: { rules: { alert: string, expr: string, annotations: { summary: string } }[] }[] }} */
const { groups } = parse(read('deploy/prometheus/alerts.yml'));
const alerts = groups.flatMap(({ rules }) => rules);

/** @typedef {{ title: string, type: string, targets?: { expr: string }[], gridPos: { x: number, y: number, w: number, h: number } }} Panel */
/** @type {{ uid: string, schemaVersion: number, panels: (Panel & { id: number })[], templating: { list: { name: string, definition?: string }[] } }} */
const dashboard = JSON.parse(read('deploy/grafana/hourshare.json'));
const page = read('docs/monitoring.md');

/** Returns the text of each series of a scrape. The parts of a histogram have its text. @param {string} text */
function readScrape(text) {
  /** @type {Map<string, string>} */
  const series = new Map([['up', 'Made by Prometheus.']]);
  let help = '';
  for (const line of text.split('\n')) {
    help = /^# HELP \S+ (.*)$/.exec(line)?.[1] ?? help;
    const name = /^[a-z_][a-z0-9_]*/.exec(line)?.[0];
    if (name !== undefined) series.set(name, help);
  }
  return series;
}

/** Returns the series that a query asks for and no server has. Promtool checks the syntax. @param {string} query */
const unknownIn = (query) =>
  [...query.matchAll(/\b(?:hourshare|nodejs|process)_[a-z0-9_]+/g)]
    .map(([name]) => name)
    .filter((name) => !metrics.has(name));

/** Returns the name of the histogram that a series is a part of; other names stay. @param {string} series */
const nameOf = (series) => series.replace(/_(?:bucket|sum|count)$/, '');

/** @type {import('../../server/src/testing/server-process.ts').ServerProcess} */
let server;
/** @type {string} */
let folder;
/** @type {ReturnType<typeof readScrape>} */
let metrics;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-monitoring-'));
  server = startServer({
    DATA_DIR: join(folder, 'data'),
    METRICS_TOKEN: TOKEN,
    // Without a mail server, nothing is sent, and there is no job for it.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'hours@example.org',
  });
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);
  await fetch(`${address}/api/about/`);
  const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  metrics = readScrape(await answer.text());
});
afterAll(async () => {
  server.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true });
});

describe('the alerts', () => {
  it.each(alerts)('$alert queries only what a running server reports', ({ expr }) => {
    expect(unknownIn(expr)).toEqual([]);
  });

  it('each have a section in docs/monitoring.md, and no other has one', () => {
    const sections = [...page.matchAll(/^### (HourShare\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
  });

  it('are all raised by a test for promtool', () => {
    const raised = read('deploy/prometheus/alerts.test.yml');
    for (const { alert } of alerts)
      expect(raised).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:\\n\\s+- exp_labels`));
  });
});

describe('the dashboard', () => {
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

  it.each(queries)('$title queries only what a running server reports: $expr', ({ expr }) => {
    expect(unknownIn(expr)).toEqual([]);
  });

  it('uses only variables that it defines', () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(?!__)(\w+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(names));
    expect(metrics.has(/label_values\((\w+), instance\)/.exec(JSON.stringify(dashboard))?.[1] ?? '')).toBe(true);
  });

  it('has panels with different ids that do not overlap', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});

describe('docs/monitoring.md', () => {
  /** The rest is described at /metrics itself, where Grafana shows it. */
  it('lists every metric of an alert, and describes each as a running server does', () => {
    const rows = [...page.matchAll(/^\| `(hourshare_[a-z_]+)`\s+\| (.+?)\s+\|$/gm)].map(([, name, help]) => [
      name,
      help,
    ]);
    const served = new Map([...metrics].map(([name, help]) => [nameOf(name), help]));
    expect(rows).toEqual(rows.map(([name]) => [name, served.get(name ?? '')]));
    const listed = new Set(rows.map(([name]) => name));
    expect(listed.size).toBe(rows.length);
    const needed = alerts.flatMap(({ expr }) => expr.match(/\bhourshare_[a-z_]+/g) ?? []).map(nameOf);
    expect(needed.length).toBeGreaterThan(10);
    expect(needed.filter((name) => !listed.has(name))).toEqual([]);
  });

  const queries = [...page.matchAll(/^\| `([^`]*hourshare_[^`]* > [^`]*)`/gm)].map(([, query = '']) => query);

  it.each(queries)('suggests an alert that asks only for what a running server says: %s', (query) => {
    expect(unknownIn(query)).toEqual([]);
  });

  it('mentions no other metric', () => {
    for (const [name] of page.matchAll(/\bhourshare_[a-z_]+\b/g)) expect([...metrics.keys()].join(' ')).toContain(name);
  });
});
