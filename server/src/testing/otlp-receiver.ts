import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A span as a collector gets it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for a span without a parent. */
  parentId: string;
  name: string;
  /** 2 is a server's, 3 a client's. */
  kind: number;
  nanoseconds: number;
  /** 0 is unset, 2 is an error. */
  status: number;
  attributes: Record<string, string | number>;
  resource: Record<string, string | number>;
}

/** A collector on this machine that handles what it gets as a test says. */
export interface TestCollector {
  /** For the OTEL_EXPORTER_OTLP_ENDPOINT setting. */
  url: string;
  spans: ReceivedSpan[];
  /** All that was received, as text, to look for what must not be in it. */
  received(): string;
  requests: { path: string; headers: Record<string, unknown> }[];
  /** `hang` accepts requests and never answers. */
  behavior: 'accept' | 'hang';
  close(): Promise<void>;
}

type Fields = Map<number, (bigint | Buffer)[]>;

/** Reads a protobuf message: numbers as they are, and everything with a length as bytes. */
function read(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const slice = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const type = tag & 7;
    let value: bigint | Buffer;
    if (type === 0) value = varint();
    else if (type === 1) value = slice(8).readBigUInt64LE();
    else if (type === 2) value = slice(Number(varint()));
    else if (type === 5) value = BigInt(slice(4).readUInt32LE());
    else throw new Error(`A collector got a field of wire type ${type}.`);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const number = (fields: Fields, field: number): number => Number(fields.get(field)?.[0] ?? 0);
const bytesOf = (fields: Fields, field: number): Buffer[] => (fields.get(field) ?? []) as Buffer[];
const first = (fields: Fields, field: number): Buffer => bytesOf(fields, field)[0] ?? Buffer.alloc(0);

/** https://github.com/open-telemetry/opentelemetry-proto: key 1, value 2, of which string 1 and whole number 3 */
const toAttributes = (pairs: Buffer[]): Record<string, string | number> =>
  Object.fromEntries(
    pairs.map(read).map((pair) => {
      const value = read(first(pair, 2));
      return [first(pair, 1).toString(), value.has(1) ? first(value, 1).toString() : number(value, 3)];
    }),
  );

function toSpans(body: Buffer): ReceivedSpan[] {
  return bytesOf(read(body), 1).flatMap((resourceSpans) => {
    const group = read(resourceSpans);
    const resource = toAttributes(bytesOf(read(first(group, 1)), 1));
    return bytesOf(group, 2)
      .flatMap((scopeSpans) => bytesOf(read(scopeSpans), 2))
      .map(read)
      .map((span) => ({
        traceId: first(span, 1).toString('hex'),
        spanId: first(span, 2).toString('hex'),
        parentId: first(span, 4).toString('hex'),
        name: first(span, 5).toString(),
        kind: number(span, 6),
        nanoseconds: number(span, 8) - number(span, 7),
        status: number(read(first(span, 15)), 3),
        attributes: toAttributes(bytesOf(span, 9)),
        resource,
      }));
  });
}

export async function openTestCollector(): Promise<TestCollector> {
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      collector.requests.push({ path: request.url ?? '', headers: request.headers });
      bodies.push(body);
      collector.spans.push(...toSpans(body));
      if (collector.behavior === 'accept') response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: TestCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    received: () => Buffer.concat(bodies).toString('latin1'),
    requests: [],
    behavior: 'accept',
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
}
