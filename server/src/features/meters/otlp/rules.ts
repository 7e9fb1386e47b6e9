import { EXTERNAL_NAME_MAX_LENGTH } from '@hourshare/contract/limits';
import type { CountedTypes, NameAttribute } from '@hourshare/contract/meters';

/** What OpenTelemetry calls an estimate of what was used, in US dollars at list prices. */
export const COST_COUNTER = 'claude_code.cost.usage';

export interface Settings {
  counter: string;
  counted_types: CountedTypes;
  name_attribute: NameAttribute;
  /** Whether the sender says who it is, so that no name is needed. */
  isMember: boolean;
  /** Milliseconds since 1970, like all instants. */
  now: number;
}

/** A data point of a counter that a meter reads. */
export interface Point {
  /** Empty if the sender says who it is. */
  name: string;
  /** What it counts for whom, since when, and until when; of any length. */
  id: string;
  type: 'add' | 'cost';
  micros: number;
  at: number;
  since: number | undefined;
  reading: { series: string; at: number; startedAt: number | null } | undefined;
}

/** What an export says of a meter's counters, and how many data points say something else. */
export interface Read {
  points: Point[];
  /** Of other metrics, or of unknown shapes. */
  others: number;
  unnamed: number;
}

const MICROS = 1_000_000;
const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, ms: 0.001, min: 60, h: 3600 };

type Fields = Readonly<Record<string, unknown>>;

// oxlint-disable-next-line no-unsafe-type-assertion -- any object has fields of unknown types
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** JSON has numbers of 64 bits as texts. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

/** Returns a number of 64 bits as it was sent; empty if there is none. */
const exactly = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Returns milliseconds; undefined if there is no instant. */
function instantOf(nanoseconds: unknown): number | undefined {
  const number = numberOf(nanoseconds);
  return number !== undefined && number > 0 ? Math.floor(number / 1_000_000) : undefined;
}

/** Each list or map in an attribute is three levels. */
const MAX_LEVELS = 30;

/** Returns whether a value has so few levels that it can be written as a text. */
const isShallow = (value: unknown, levels = MAX_LEVELS): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1)));

type Attributes = ReadonlyMap<string, unknown>;

function attributesOf(value: unknown): Attributes {
  return new Map(
    listOf(value).flatMap((each) => {
      const { key, value: of } = fieldsOf(each);
      return typeof key === 'string' ? [[key, fieldsOf(of)] as const] : [];
    }),
  );
}

const textOf = (attributes: Attributes, key: string): string | undefined => {
  const { stringValue: text } = fieldsOf(attributes.get(key));
  return typeof text === 'string' ? text : undefined;
};

const inOrder = (attributes: Attributes) => [...attributes].toSorted(([one], [other]) => (one < other ? -1 : 1));

const isName = (name: string | undefined): name is string =>
  name !== undefined && name.length > 0 && name.length <= EXTERNAL_NAME_MAX_LENGTH && !/\p{Cc}/u.test(name);

const TEMPORALITIES = new Map<unknown, 'delta' | 'cumulative'>([
  [1, 'delta'],
  ['AGGREGATION_TEMPORALITY_DELTA', 'delta'],
  [2, 'cumulative'],
  ['AGGREGATION_TEMPORALITY_CUMULATIVE', 'cumulative'],
]);

interface Counter {
  temporality: 'delta' | 'cumulative';
  type: Point['type'];
  factor: number;
}

const countPoints = (metric: Fields): number =>
  Object.values(metric).reduce<number>((sum, data) => sum + listOf(fieldsOf(data)['dataPoints']).length, 0);

/** Returns what to read of a metric; undefined if it isn't one of a meter's counters. */
function counterOf(metric: Fields, settings: Settings): Counter | undefined {
  const { name, unit } = metric;
  const sum = fieldsOf(metric['sum']);
  const temporality = TEMPORALITIES.get(sum['aggregationTemporality']);
  if (typeof name !== 'string' || !temporality || sum['isMonotonic'] !== true) return undefined;
  if (name === settings.counter)
    return { temporality, type: 'add', factor: MICROS * (SECONDS_OF[typeof unit === 'string' ? unit : ''] ?? 1) };
  return name === COST_COUNTER ? { temporality, type: 'cost', factor: MICROS } : undefined;
}

/** Reads the counters of a meter in an export of OpenTelemetry metrics, in the shape of its JSON encoding, and nothing else of it. */
export function readExport(request: unknown, settings: Settings): Read {
  const read: Read = { points: [], others: 0, unnamed: 0 };
  for (const each of listOf(fieldsOf(request)['resourceMetrics'])) {
    const { resource, scopeMetrics } = fieldsOf(each);
    const ofResource = attributesOf(fieldsOf(resource)['attributes']);
    for (const inScope of listOf(scopeMetrics)) {
      const { scope, metrics } = fieldsOf(inScope);
      for (const one of listOf(metrics)) {
        const metric = fieldsOf(one);
        const counter = counterOf(metric, settings);
        const place = [metric['name'], inOrder(ofResource), fieldsOf(scope)['name']];
        if (!counter || !isShallow(place)) {
          read.others += countPoints(metric);
          continue;
        }
        for (const point of listOf(fieldsOf(metric['sum'])['dataPoints']))
          readPoint(fieldsOf(point), { read, counter, place, ofResource, settings });
      }
    }
  }
  return read;
}

function readPoint(
  point: Fields,
  {
    read,
    counter: { temporality, type, factor },
    place,
    ofResource,
    settings,
  }: { read: Read; counter: Counter; place: unknown[]; ofResource: Attributes; settings: Settings },
): void {
  const value = numberOf(point['asDouble']) ?? numberOf(point['asInt']);
  const hasNone = ((numberOf(point['flags']) ?? 0) & 1) === 1;
  const micros = value === undefined || hasNone ? Number.NaN : Math.round(value * factor);
  if (!Number.isSafeInteger(micros) || micros < 0 || !isShallow(point['attributes'])) {
    read.others++;
    return;
  }
  const attributes = attributesOf(point['attributes']);
  if (type === 'add' && settings.counted_types === 'user' && textOf(attributes, 'type') !== 'user') return;
  const { name_attribute: key } = settings;
  const name = settings.isMember ? '' : (textOf(attributes, key) ?? textOf(ofResource, key));
  if (!settings.isMember && !isName(name)) {
    read.unnamed++;
    return;
  }
  const startedAt = instantOf(point['startTimeUnixNano']) ?? null;
  const time = instantOf(point['timeUnixNano']) ?? settings.now;
  const series = JSON.stringify([...place, inOrder(attributes), exactly(point['startTimeUnixNano'])]);
  // Clocks of senders may be ahead.
  const at = Math.min(time, settings.now);
  const isDelta = temporality === 'delta';
  if (isDelta && micros === 0) return;
  read.points.push({
    name: name ?? '',
    id: JSON.stringify([series, exactly(point['timeUnixNano']) || settings.now]),
    type,
    micros,
    at,
    since: isDelta && startedAt !== null ? Math.min(startedAt, at) : undefined,
    reading: isDelta ? undefined : { series, at: time, startedAt },
  });
}
