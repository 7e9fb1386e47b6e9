import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { runFault, until } from './fault.mjs';
import { createLoad } from './load.mjs';

// Takes the mail server away, and lets it hang, while people ask for links by email: node deploy/faults/mail.mjs
// The mail server is hand-written because smtp-server is a package of server/, and can't be made to say nothing.

const PHASE_MS = 30_000;
const MAILS = 10;
/** The server tries again after one minute, then after two. */
const ARRIVES_WITHIN_MS = 300_000;

/** Starts a mail server that answers, refuses connections, or accepts them and says nothing. */
async function startMailServer() {
  /** The recipients, in order. @type {string[]} */
  const received = [];
  /** @type {{ behavior: 'answer' | 'refuse' | 'hang' }} */
  const state = { behavior: 'answer' };
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (state.behavior === 'refuse') socket.resetAndDestroy();
    if (state.behavior === 'answer') void converse(socket, received).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`,
    state,
    received,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Accepts every message of a connection. @param {import('node:net').Socket} socket @param {string[]} received */
async function converse(socket, received) {
  const answer = (/** @type {string} */ line) => socket.write(`${line}\r\n`);
  answer('220 faults');
  /** @type {string[]} */
  let recipients = [];
  let isData = false;
  for await (const line of createInterface({ input: socket })) {
    if (isData) {
      if (line !== '.') continue;
      isData = false;
      received.push(...recipients);
      recipients = [];
      answer('250 accepted');
      continue;
    }
    const recipient = /^RCPT TO:<(.+?)>/i.exec(line)?.[1];
    if (recipient !== undefined) recipients.push(recipient);
    isData = /^DATA$/i.test(line);
    answer(isData ? '354 go on' : /^QUIT$/i.test(line) ? '221 bye' : '250 faults');
    if (/^QUIT$/i.test(line)) socket.end();
  }
}

await runFault(async ({ check, checkOracle, defer, install }) => {
  const mail = await startMailServer();
  defer(mail.close);
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'HourShare <hours@example.org>' };
  const { client, installation } = await install({ engine: 'embedded', settings });
  const load = await createLoad(client, { pairs: 3, pauseMs: 100 });
  const phases = /** @type {const} */ (['answer', 'refuse', 'hang']);
  /** @type {Record<string, string[]>} */
  const asked = {};
  for (const phase of phases) {
    const names = Array.from({ length: MAILS }, (_, index) => `${phase}${index}`);
    for (const name of names) await load.register(name);
    asked[phase] = names.map((name) => `${name}@example.org`);
  }
  const stop = load.start();
  await pause(5000);
  /** @type {Record<string, number>} */
  const p99 = {};
  for (const phase of phases) {
    mail.state.behavior = phase;
    const startedAt = performance.now();
    for (const email of asked[phase] ?? [])
      await client.send({ method: 'POST', path: '/api/password-reset/', body: { email } });
    await pause(PHASE_MS - (performance.now() - startedAt));
    p99[phase] = load.quantile(0.99, startedAt, performance.now());
  }
  await stop();
  mail.state.behavior = 'answer';
  const { answer = 0, refuse = 0, hang = 0 } = p99;
  const bound = answer * 1.5 + 50;
  const ms = (/** @type {number} */ value) => `${Math.round(value)} ms`;
  check(refuse <= bound, `p99 of writes ${ms(answer)} with mail, ${ms(refuse)} while it is refused`);
  check(hang <= bound, `${ms(hang)} while it hangs`);
  const wanted = Object.values(asked).flat();
  const missing = () => wanted.filter((email) => !mail.received.includes(email)).length;
  await until(() => missing() === 0, 'Sending all messages', ARRIVES_WITHIN_MS).catch(() => undefined);
  await pause(30_000);
  check(missing() === 0, `${wanted.length - missing()} of ${wanted.length} messages arrived`);
  const twice = mail.received.length - new Set(mail.received).size;
  check(twice === 0, `${twice} arrived twice`);
  check(installation.servers[0]?.isRunning() === true, 'the server ran on');
  await checkOracle(load);
});
