import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns } from '../../../testing/thorough.ts';
import { readExport, type Settings } from './rules.ts';

const settings: Settings = {
  counter: 'claude_code.active_time.total',
  counted_types: 'all',
  name_attribute: 'user.email',
  isMember: false,
  now: 1_000_000,
};

const odd = fc.jsonValue({ maxDepth: 3 });
const oddOr = <Value>(value: fc.Arbitrary<Value>) => fc.oneof({ weight: 5, arbitrary: value }, odd);
const metric = fc.record({
  name: oddOr(fc.constantFrom(settings.counter, 'claude_code.cost.usage', 'other')),
  unit: oddOr(fc.constantFrom('s', 'ms', 'USD')),
  sum: oddOr(
    fc.record({
      aggregationTemporality: oddOr(fc.constantFrom<unknown>(1, 2, 'AGGREGATION_TEMPORALITY_DELTA')),
      isMonotonic: oddOr(fc.constant(true)),
      dataPoints: oddOr(
        fc.array(
          oddOr(
            fc.record({
              asDouble: oddOr(fc.double()),
              timeUnixNano: oddOr(fc.constantFrom('5000000', 7_000_000)),
              startTimeUnixNano: oddOr(fc.constantFrom('1000000', 0)),
              attributes: oddOr(
                fc.array(
                  oddOr(fc.record({ key: fc.constant('user.email'), value: oddOr(fc.record({ stringValue: odd })) })),
                ),
              ),
            }),
          ),
        ),
      ),
    }),
  ),
});

it('an export of any shape is read, and no data point is both taken and not', () => {
  fc.assert(
    fc.property(oddOr(fc.array(oddOr(metric))), (metrics) => {
      const { points, others, unnamed } = readExport({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }, settings);
      expect(others + unnamed).toBeGreaterThanOrEqual(0);
      for (const point of points) {
        expect(Number.isSafeInteger(point.micros) && point.micros >= 0).toBe(true);
        expect(point.at).toBeLessThanOrEqual(settings.now);
        expect(point.name).not.toBe('');
      }
    }),
    { numRuns: randomRuns(500) },
  );
  fc.assert(
    fc.property(odd, (request) => void readExport(request, settings)),
    { numRuns: randomRuns(200) },
  );
});

const read = (point: object, change: Partial<Settings> = {}, more: object = {}) =>
  readExport(
    {
      resourceMetrics: [
        {
          resource: { attributes: [{ key: 'user.id', value: { stringValue: 'u1' } }] },
          scopeMetrics: [
            {
              metrics: [
                {
                  name: settings.counter,
                  sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ asDouble: 1.5, ...point }] },
                  ...more,
                },
              ],
            },
          ],
        },
      ],
    },
    { ...settings, isMember: true, ...change },
  ).points[0];

it('series are told apart by attributes in any order, and by when they began', () => {
  const [one, other] = ['a', 'b'].map((key) => ({ key, value: { stringValue: key } }));
  const series = (point: object) => read(point)?.reading?.series;
  expect(series({ attributes: [one, other] })).toBe(series({ attributes: [other, one] }));
  expect(series({ attributes: [one] })).not.toBe(series({ attributes: [other] }));
  expect(series({ startTimeUnixNano: '1' })).not.toBe(series({ startTimeUnixNano: '2' }));
});

it('what is nested too deeply to tell series apart is not taken, wherever it is', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  const attributes = (levels: number) => [{ key: 'a', value: { kvlistValue: nested(levels) } }];
  const readNested = ({ ofResource = 0, ofScope = 0, ofPoint = 0 }) => {
    const dataPoints = [{ asDouble: 5, attributes: attributes(ofPoint) }];
    const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints };
    const scopeMetrics = [{ scope: { name: nested(ofScope) }, metrics: [{ name: settings.counter, sum }] }];
    const resourceMetrics = [{ resource: { attributes: attributes(ofResource) }, scopeMetrics }];
    return readExport({ resourceMetrics }, { ...settings, isMember: true });
  };
  expect(readNested({ ofResource: 10, ofScope: 10, ofPoint: 10 })).toMatchObject({ points: [{}], others: 0 });
  for (const part of ['ofResource', 'ofScope', 'ofPoint'])
    expect(readNested({ [part]: 100_000 })).toEqual({ points: [], others: 1, unnamed: 0 });
});

it('units, names of the resource, and clocks that are ahead are understood', () => {
  const units = { ms: 1500, s: 1_500_000, min: 90_000_000, h: 5_400_000_000, other: 1_500_000 };
  for (const [unit, micros] of Object.entries(units)) expect(read({}, {}, { unit })?.micros).toBe(micros);
  expect(read({}, { isMember: false, name_attribute: 'user.id' })?.name).toBe('u1');
  expect(read({ timeUnixNano: '9000000000000000' })?.at).toBe(settings.now);
  expect(read({ flags: 1 })).toBeUndefined();
  expect(read({}, { counted_types: 'user' })).toBeUndefined();
  const dataPoints = [{ asDouble: 1.5 }];
  // A sum that can go down isn't a counter, and an increase of zero isn't taken.
  expect(read({}, {}, { sum: { aggregationTemporality: 1, isMonotonic: false, dataPoints } })).toBeUndefined();
  expect(read({}, {}, { sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints } })).toBeDefined();
  const none = [{ asDouble: 0 }];
  expect(read({}, {}, { sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints: none } })).toBeUndefined();
});
