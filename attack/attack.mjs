import { parseArgs } from 'node:util';
import { createJudge, problemsAfterwards } from './oracles.mjs';
import { withOtlp } from './otlp.mjs';
import { absentPath, OPERATIONS, planRequests } from './requests.mjs';
import { createWorld, exchange, startServer } from './target.mjs';
import { memoryOf } from '../harness/measures.mjs';
import { build } from '../scripts/build.mjs';
import { isMain, onSignal } from '../scripts/processes.mjs';

// Attacks the built server with generated requests: `npm run attack -- --seed 7`. The same seed plans the same
// requests.

/** @typedef {import('./requests.mjs').Request} Request */
/** @typedef {import('./target.mjs').Answer} Answer */
/** @typedef {{ request?: Request, problem: string, bytes?: string, answer?: Answer | undefined }} Finding */

const USAGE = `Usage: npm run attack -- [--seed N] [--requests N] [--only K] [--url http://127.0.0.1:PORT]
  --seed N      plans the requests; random when left out
  --requests N  how many, 30000 when left out
  --only K      sends request K of that seed alone
  --url         attacks a running server of this machine instead of starting one; its data does not survive that`;

/** Each is attacked by requests one after another, next to the others. */
const WORLDS = 3;
/** How many findings of one kind are shown in full. */
const EXAMPLES = 3;
const LOOK_EVERY = 250;
/** Callers who must get the same answer whether or not what they name exists. */
const TOLD_NOTHING = new Set(['outsider', 'signed out', 'out of scope']);
/** Shorter than the lifetimes of a recent check and of a sign-in's access token. */
const RENEW_EVERY_MS = 8 * 60_000;

/**
 * Sends requests one after another and judges every response.
 *
 * @param {object} target
 * @param {string} target.url
 * @param {Request[]} target.requests
 * @param {ReturnType<typeof createJudge>} target.judge
 * @param {Pick<Awaited<ReturnType<typeof createWorld>>, 'prepare' | 'bytesOf' | 'after' | 'renew'>} target.world
 * @param {(finding: Finding) => void} report
 */
export async function attack({ url, requests, judge, world }, report) {
  /** @type {Record<string, number>} */
  const statuses = {};
  let renewedAt = Date.now();
  let slowest = { milliseconds: 0, number: 0 };
  for (const request of requests) {
    await world.prepare(request);
    const bytes = world.bytesOf(request);
    const startedAt = performance.now();
    const answer = await exchange(url, bytes, request);
    const milliseconds = performance.now() - startedAt;
    if (milliseconds > slowest.milliseconds) slowest = { milliseconds, number: request.number };
    const status = answer?.status ?? 'none';
    statuses[status] = (statuses[status] ?? 0) + 1;
    const problems = judge.problemsOf(request, bytes, answer);

    const [path = '', ...query] = request.target.split('?');
    const absent = [absentPath(path), ...query].join('?');
    if (absent !== request.target && request.kind !== 'wire' && TOLD_NOTHING.has(request.standing)) {
      const twin = await exchange(url, world.bytesOf({ ...request, target: absent }), request);
      if (problems.length === 0) problems.push(...judge.tellingProblems(answer, twin));
    }
    for (const problem of problems) report({ request, problem, bytes, answer });

    const isUnanswered = !answer && !request.isUnfinished && !request.isAbandoned;
    if (isUnanswered || request.number % LOOK_EVERY === 0) {
      const healthy = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
      if (!healthy?.ok) {
        report({ problem: `/healthz after request ${request.number}: ${healthy?.status ?? 'no answer'}` });
        break;
      }
    }
    await world.after(request, OPERATIONS[request.operation]?.spoils === true, answer);
    if (Date.now() - renewedAt > RENEW_EVERY_MS) {
      await world.renew();
      renewedAt = Date.now();
    }
  }
  return { statuses, slowest };
}

/** Returns a request as a shell command, without the token. @param {string} url @param {Request} request @param {string} sent its bytes */
export function shellLine(url, { kind }, sent) {
  const bytes = sent.replaceAll(/(?:eyJ|h[ms]_)[\w.-]{20,}/g, '$TOKEN');
  const { hostname, port } = new URL(url);
  const end = bytes.indexOf('\r\n\r\n');
  const [line = '', ...headers] = bytes.slice(0, end).split('\r\n');
  const body = bytes.slice(end + 4);
  if (kind === 'wire' || /[^ -~]/.test(body + line)) {
    const escaped = bytes.replaceAll(
      /[^ -~]|[\\%"`]|\$(?!TOKEN)/g,
      (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
    return `printf "${escaped}" | nc ${hostname} ${port}`;
  }
  const quote = (/** @type {string} */ text) => `"${text.replaceAll(/["\\`]|\$(?!TOKEN)/g, '\\$&')}"`;
  const [method, target] = line.split(' ');
  const shown = headers.filter((header) => !/^(?:host|connection|content-length):/.test(header));
  const options = [
    `-X ${method}`,
    ...shown.map((header) => `-H ${quote(header)}`),
    ...(body ? [`--data-raw ${quote(body)}`] : []),
  ];
  return `curl -i --path-as-is --globoff ${options.join(' ')} ${quote(url + target)}`;
}

/** @param {string} url @param {Finding} finding */
function shownFinding(url, { request, problem, bytes = '', answer }) {
  if (!request) return problem;
  const { number, operation, caller, standing, about } = request;
  const answerText = answer
    ? `${answer.status} ${answer.headers.find(([name]) => /^content-type$/i.test(name))?.[1]} ${answer.body}`
    : 'nothing';
  return `${problem}
  request ${number}: ${operation}, by ${caller} (${standing}), ${request.kind}: ${about.replaceAll(/[^ -~]/g, '?')}
  ${shellLine(url, request, bytes).slice(0, 4000)}
  answered ${answerText.slice(0, 1000).replaceAll(/[^ -~\n]/g, '?')}`;
}

/** Returns a function that many call, and which does something once all of them have. @param {number} count @param {() => Promise<void>} act */
function together(count, act) {
  let [missing, begin] = [count, () => {}];
  const done = new Promise((/** @type {(value?: undefined) => void} */ resolve) => (begin = resolve)).then(act);
  return () => {
    missing -= 1;
    if (missing === 0) begin();
    return done;
  };
}

/** @param {string} address */
export function isOnThisMachine(address) {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** @param {{ seed: number, count: number, only: number | undefined, named: string | undefined }} options */
async function main({ seed, count, only, named }) {
  if (!named && !(await build())) return 1;
  const { errorStatus } = await import('@hourshare/contract/errors');
  const { english } = await import('@hourshare/contract/sentences');
  /** @type {Awaited<ReturnType<typeof startServer>> | undefined} */
  let attacked;
  // Before the start, which takes seconds.
  onSignal(async () => attacked?.stop());
  attacked = named ? undefined : await startServer(process.env);
  const server = attacked?.server;
  const url = server?.url ?? new URL(named ?? '').origin;
  /** @type {Map<string, { times: number, first: Finding }>} */
  const findings = new Map();
  /** @param {Finding} finding */
  const report = (finding) => {
    const { times, first } = findings.get(finding.problem) ?? { times: 0, first: finding };
    findings.set(finding.problem, { times: times + 1, first });
    if (times < EXAMPLES) console.log(`\n${shownFinding(url, finding)}`);
  };
  try {
    const document = withOtlp(await (await fetch(`${url}/api/openapi.json`)).json());
    const planned = planRequests(document, { seed, count: Math.max(count, only ?? 0) });
    const requests = only === undefined ? planned : planned.filter(({ number }) => number === only);
    // All worlds begin in the past, which ends for all at once.
    const control = attacked && { ...attacked, endPast: together(WORLDS, attacked.endPast) };
    const worlds = await Promise.all(Array.from({ length: WORLDS }, () => createWorld(url, control)));
    const possible = requests.filter(({ target }) => worlds.every((world) => world.has(target)));
    const pairs = possible.filter(({ kind }) => kind === 'intact').length;
    console.log(`Seed ${seed}: ${possible.length} requests to ${url}, ${pairs} of them a person on a resource.`);
    if (possible.length < requests.length)
      console.log(`${requests.length - possible.length} more are left out, because this server lacks what they name.`);
    const secrets = worlds.map(({ password }) => password);
    const snapshot = async () => Object.assign({}, ...(await Promise.all(worlds.map((world) => world.snapshot()))));

    const before = await snapshot();
    const memoryBefore = memoryOf(server?.pid ?? 0);
    const startedAt = performance.now();
    const attacks = await Promise.all(
      worlds.map((world, index) => {
        const own = possible.filter(({ number }) => number % WORLDS === index);
        const judge = createJudge({ document, errorStatus, english, secrets, foreign: world.foreign });
        return attack({ url, requests: own, judge, world }, report);
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;

    const memory = memoryOf(server?.pid ?? 0);
    const isRunning = server?.isRunning() ?? true;
    if (isRunning) await Promise.all(worlds.map((world) => world.renew()));
    const finalState = {
      before,
      after: isRunning ? await snapshot() : {},
      log: server?.log ?? '',
      secrets: worlds.flatMap((world) => [...world.secrets]),
      grownMegabytes: memory - memoryBefore,
      isRunning,
    };
    for (const problem of problemsAfterwards(finalState)) report({ problem });

    const all = attacks.flatMap(({ statuses }) => Object.entries(statuses));
    const counted = [...new Set(all.map(([status]) => status))]
      .toSorted()
      .map((status) => `${status}: ${all.reduce((sum, [each, times]) => sum + (each === status ? times : 0), 0)}`)
      .join(', ');
    const slowest = attacks
      .map((each) => each.slowest)
      .reduce((one, other) => (other.milliseconds > one.milliseconds ? other : one));
    console.log(`\nAnswers: ${counted}`);
    console.log(`The slowest, of request ${slowest.number}, took ${slowest.milliseconds.toFixed(0)} ms.`);
    if (server) console.log(`Memory: ${memoryBefore.toFixed(0)} MB before, ${memory.toFixed(0)} MB after.`);
    const total = [...findings.values()].reduce((sum, { times }) => sum + times, 0);
    console.log(
      `${possible.length} requests in ${seconds.toFixed(1)} s, seed ${seed}: ${total} findings of ${findings.size} kinds`,
    );
    for (const [problem, { times, first }] of findings) {
      const example = first.request ? `, first by request ${first.request.number}, ${first.request.operation}` : '';
      console.log(`  ${problem.split('\n', 1)[0]} (found ${times}x${example})`);
    }
    if (total > 0) console.log(`To repeat one: npm run attack -- --seed ${seed} --requests ${count} --only <number>`);
    return total === 0 ? 0 : 1;
  } finally {
    await attacked?.stop();
  }
}

/** @param {string | undefined} text @returns {number | undefined} NaN for anything but a wholeNumber number */
const wholeNumber = (text) => (text === undefined ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

if (isMain(import.meta.filename)) {
  /** @type {{ seed?: string, requests?: string, only?: string, url?: string }} */
  let values = {};
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    ({ values } = parseArgs({ options: { seed: text, requests: text, only: text, url: text } }));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
  const seed = wholeNumber(values.seed) ?? Math.floor(Math.random() * 1e9);
  const [count, only] = [wholeNumber(values.requests) ?? 30_000, wholeNumber(values.only)];
  if ([seed, count, only].some(Number.isNaN)) {
    console.error(USAGE);
    process.exit(2);
  }
  if (values.url !== undefined && !isOnThisMachine(values.url)) {
    console.error(
      `${values.url} is not an address of this machine, such as http://127.0.0.1:3000. Attack nothing else.`,
    );
    process.exit(2);
  }
  process.exitCode = await main({ seed, count, only, named: values.url }).catch((error) => {
    console.error(error);
    return 1;
  });
}
