import { parser } from '@prometheus-io/lezer-promql';

// Reads Prometheus' text format and queries, to compare what rules and dashboards ask for with what a server says.

/** What Prometheus itself adds to every series, and the one metric that it makes. */
const TARGET_LABELS = ['instance', 'job'];

/** @typedef {{ help: string, type: string, labels: Set<string> }} Metric */

/**
 * Returns the metrics of a scrape by name. The parts of a histogram have its text.
 *
 * @param {string} text
 */
export function readScrape(text) {
  /** @type {Map<string, Metric>} */
  const metrics = new Map();
  let help = '';
  let type = '';
  for (const line of text.split('\n')) {
    const [, keyword, , rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') help = rest;
    if (keyword === 'TYPE') type = rest;
    const [, name, labels = ''] = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const metric = metrics.get(name) ?? { help, type, labels: new Set(TARGET_LABELS) };
    for (const [, label = ''] of labels.matchAll(/(?:^|,)([a-z_]+)="(?:[^"\\]|\\.)*"/g)) metric.labels.add(label);
    metrics.set(name, metric);
  }
  return metrics;
}

/**
 * Returns what is wrong with a query: its syntax, metrics that a server doesn't have, and labels that none of its metrics has.
 *
 * @param {string} query
 * @param {Map<string, Metric>} metrics
 * @returns {string[]}
 */
export function queryProblems(query, metrics) {
  // Grafana fills these in.
  const text = query.replaceAll(/\$__(?:rate_interval|range)/g, '5m').replaceAll(/\$\w+/g, 'x');
  const known = new Map([...metrics, ['up', { help: '', type: 'gauge', labels: new Set(TARGET_LABELS) }]]);
  /** @type {string[]} */
  const problems = [];
  /** @type {Set<string>} */
  const labelsOfAll = new Set();
  /** @type {Set<string> | undefined} */
  let labelsOfSelector;
  /** @type {string[]} */
  const grouped = [];
  parser.parse(text).iterate({
    enter(node) {
      const content = text.slice(node.from, node.to);
      if (node.type.isError) problems.push(`is no query: ${text.slice(Math.max(0, node.from - 20), node.to + 20)}`);
      if (node.name === 'VectorSelector') labelsOfSelector = undefined;
      if (node.name === 'Identifier') {
        labelsOfSelector = known.get(content)?.labels;
        if (!labelsOfSelector) problems.push(`asks for ${content}, which no server has`);
        for (const label of labelsOfSelector ?? []) labelsOfAll.add(label);
      }
      if (node.name !== 'LabelName') return;
      if (node.node.parent?.name === 'GroupingLabels') grouped.push(content);
      else if (labelsOfSelector && !labelsOfSelector.has(content)) problems.push(`asks for the label ${content}`);
    },
  });
  for (const label of grouped) if (!labelsOfAll.has(label)) problems.push(`groups by the label ${label}`);
  return problems;
}
