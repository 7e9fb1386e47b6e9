import { ServerResponse } from 'node:http';

// Loaded into the server's process before its own code, to give it a clock that tests can advance. The product has
// no such switch; it only asks the runtime for the time.

const RealDate = Date;
let offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
// A stopped clock only moves when advanced, so measurements are exact on any machine.
const standsAt = process.env.CLOCK_STANDS_AT ? RealDate.parse(process.env.CLOCK_STANDS_AT) : undefined;
const now = () => (standsAt ?? RealDate.now()) + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts, self) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, self),
  apply: () => new RealDate(now()).toString(),
  get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
});

// Uptime advances with the clock.
const startedAt = now();
performance.now = () => now() - startedAt;

// The runtime stamps responses with its own clock, and screens count from that stamp.
// oxlint-disable-next-line typescript/unbound-method -- the proxy calls it on the response it was called on
ServerResponse.prototype.writeHead = new Proxy(ServerResponse.prototype.writeHead, {
  apply: (target, response, parts) => {
    response.setHeader('date', new RealDate(now()).toUTCString());
    return Reflect.apply(target, response, parts);
  },
});

process.on('message', (message) => {
  offset = Number(message);
  process.send?.(offset);
});
// This listener must not keep a stopping process alive.
process.channel?.unref();
