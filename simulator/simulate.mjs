import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { isMain, onSignal, root } from '../scripts/processes.mjs';
import { act, actionWeights } from './actions.mjs';
import { Violation } from '../harness/client.mjs';
import { breakSomething, faultWeights } from './faults.mjs';
import { createInstallation } from '../harness/installation.mjs';
import { checkEverything } from './invariants.mjs';
import { durationOf, makeStory, shorten } from './story.mjs';
import { createWorld } from './world.mjs';

// Lives years of random life on real servers that keep breaking: npm run simulate -- --seed 1 --steps 1000
// See docs/contributing.md.

const USAGE = `Usage: npm run simulate -- [--seed N] [--steps M] [--engine embedded|postgresql] [--no-faults]
         [--story FILE] [--shorten MINUTES]`;
const FAULT_RATE = 0.12;
/** After longer pauses, servers were off. */
const OFF_MINUTES = 24 * 60;
/** How far in the past a story starts at least, so that its clocks stay behind the database's. */
const MARGIN_MS = 40 * 24 * 3_600_000;

/** @typedef {import('./story.mjs').Step} Step */
/** @typedef {import('../harness/installation.mjs').Engine} Engine */

/** @type {Set<{ dispose: () => Promise<void> }>} */
const running = new Set();
onSignal(async () => {
  await Promise.all([...running].map(({ dispose }) => dispose()));
});

/**
 * Plays a story on new servers. Returns the step and the reason of a failure.
 *
 * @param {Step[]} story
 * @param {Engine} engine
 * @param {(step: number) => void} [onStep]
 */
async function play(story, engine, onStep) {
  // In whole days, so that the same seed begins at the same hour.
  const startsAt = Math.floor((Date.now() - durationOf(story) - MARGIN_MS) / 86_400_000) * 86_400_000;
  const installation = await createInstallation({ engine, startsAt });
  running.add(installation);
  const world = createWorld(installation);
  /** @type {Record<string, number>} */
  const faults = {};
  let number = 0;
  try {
    for (const step of story) {
      number += 1;
      await installation.advance(step.minutes * 60_000);
      // What is due by the clock is done by servers that start.
      if (step.minutes > OFF_MINUTES) {
        await Promise.all(installation.servers.map((server) => server.end('SIGTERM')));
        await installation.restart();
        if (!step.fault) world.startedAt = installation.now().getTime();
      }
      world.losesAnswers = step.fault?.kind === 'loseAnswers';
      const deeds = Promise.all(step.actions.map((action) => act(world, action)));
      // The fault is mended even if an action has failed meanwhile.
      deeds.catch(() => {});
      if (step.fault && (await breakSomething(world, step.fault)))
        faults[step.fault.kind] = (faults[step.fault.kind] ?? 0) + 1;
      await deeds;
      world.losesAnswers = false;
      await checkEverything(world, number);
      onStep?.(number);
    }
    return { world, faults };
  } catch (error) {
    if (!(error instanceof Violation)) console.error(error);
    const reason = error instanceof Error ? error.message : String(error);
    return { world, faults, failure: { step: number, reason, logs: installation.servers.map(({ log }) => log) } };
  } finally {
    world.client.close();
    running.delete(installation);
    await installation.dispose();
  }
}

/** @param {Step} step */
function sentence({ minutes, actions, fault }) {
  const kinds = actions.map(({ kind }) => kind).join(', ') || 'nothing';
  return `${(minutes / 60).toFixed(1)} h later: ${kinds}${fault ? `, during ${fault.kind}` : ''}`;
}

/** @param {Record<string, { done: number, refused: number, idle: number }>} outcomes */
function table(outcomes) {
  return Object.entries(outcomes)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([kind, { done, refused, idle }]) => `  ${kind}: ${done} done, ${refused} refused, ${idle} not possible`)
    .join('\n');
}

/**
 * @param {{ story: Step[], engine: Engine, name: string, shortenMinutes: number }} options
 * @returns {Promise<number>} the exit code
 */
async function simulate({ story, engine, name, shortenMinutes }) {
  const days = Math.round(durationOf(story) / 86_400_000);
  console.log(`${name} on ${engine}: ${story.length} steps, ${days} days of life`);
  const startedAt = performance.now();
  const { world, faults, failure } = await play(story, engine, (step) => {
    if (step % 100 === 0) console.log(`  step ${step} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(table(world.outcomes));
  console.log(
    `Faults: ${
      Object.entries(faults)
        .map(([kind, times]) => `${kind} ${times}`)
        .join(', ') || 'none'
    }`,
  );
  const { requests, unanswered, unavailable } = world.client.counts;
  console.log(
    `${requests} requests, ${unanswered} without an answer, ${unavailable} answered 503; ${world.assets.size} assets, ${world.sessions.size} sessions, ${world.statements.size} closed statements, ${world.payments.size} payments`,
  );
  if (!failure) {
    console.log(`${name} on ${engine}: ${story.length} steps in ${seconds.toFixed(0)} s, 0 violations`);
    return 0;
  }
  for (const log of failure.logs) if (log !== '') console.log(`A server printed last:\n${log.slice(-4000)}`);
  console.log(`VIOLATION in step ${failure.step}: ${failure.reason}`);
  const until = performance.now() + shortenMinutes * 60_000;
  const isTimeUp = () => performance.now() > until;
  const fails = async (/** @type {Step[]} */ candidate) => (await play(candidate, engine)).failure !== undefined;
  const shortest = await shorten(story.slice(0, failure.step), fails, isTimeUp);
  const folder = join(root, '.cache', 'simulator');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}-${engine}.json`);
  writeFileSync(file, JSON.stringify(shortest, undefined, 2));
  console.log(`The shortest story that fails has ${shortest.length} steps:`);
  for (const step of shortest) console.log(`  ${sentence(step)}`);
  console.log(`To replay it: npm run simulate -- --engine ${engine} --story ${file}`);
  return 1;
}

/** @param {string | undefined} typed */
const wholeNumber = (typed) => (typed === undefined ? undefined : /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN);

/** @returns {Promise<number>} the exit code */
async function main() {
  /** @type {{ seed?: string, steps?: string, engine?: string, story?: string, shorten?: string, 'no-faults'?: boolean }} */
  let values;
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    const options = {
      seed: text,
      steps: text,
      engine: text,
      story: text,
      shorten: text,
      'no-faults': /** @type {const} */ ({ type: 'boolean' }),
    };
    ({ values } = parseArgs({ options }));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return 2;
  }
  const seed = wholeNumber(values.seed) ?? Math.floor(Math.random() * 1e9);
  const [steps, shortenMinutes] = [wholeNumber(values.steps) ?? 500, wholeNumber(values.shorten) ?? 10];
  const { engine = 'postgresql' } = values;
  if ([seed, steps, shortenMinutes].some(Number.isNaN) || !['embedded', 'postgresql'].includes(engine)) {
    console.error(USAGE);
    return 2;
  }
  if (!(await build())) return 1;
  const faults = values['no-faults'] ? {} : faultWeights;
  const story =
    values.story === undefined
      ? makeStory(seed, steps, { actions: actionWeights, faults, faultRate: FAULT_RATE })
      : JSON.parse(readFileSync(values.story, 'utf8'));
  const name = values.story === undefined ? `Seed ${seed}` : 'The story';
  return simulate({ story, engine: /** @type {Engine} */ (engine), name, shortenMinutes });
}

if (isMain(import.meta.filename)) process.exitCode = await main();
