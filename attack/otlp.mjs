// What exporters of OpenTelemetry send. Others define it, so the OpenAPI document has no call for it.

/** @typedef {{ name?: unknown, unit?: unknown, aggregationTemporality?: unknown, isMonotonic?: unknown } & Record<string, unknown>} Point */

export const OTLP_CALL = 'POST /v1/metrics';

const COUNTER = 'claude_code.active_time.total';
const COST = 'claude_code.cost.usage';
export const OTLP_NAME = 'ben@example.org';

/** A data point, with what its counter says of it. @type {Point} */
export const POINT = {
  name: COUNTER,
  unit: 's',
  aggregationTemporality: 1,
  isMonotonic: true,
  asDouble: 5,
  timeUnixNano: '<<run.nanoseconds>>',
  attributes: [{ key: 'user.email', value: { stringValue: OTLP_NAME } }],
};

/** Returns an export of a data point. @param {Point} point */
export const exportOf = ({ name, unit, aggregationTemporality, isMonotonic, ...point }) => ({
  resourceMetrics: [
    {
      scopeMetrics: [{ metrics: [{ name, unit, sum: { aggregationTemporality, isMonotonic, dataPoints: [point] } }] }],
    },
  ],
});

/** Stands for what is nested too deeply to be written as JSON again. */
const NESTED = 'nested';

/** Returns the text of a body with what is nested in it. @param {string} text */
export const withNested = (text) =>
  text.replaceAll(JSON.stringify(NESTED), () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);

const instant = { enum: ['<<run.nanoseconds>>', '0', '-1', '1e30', '9'.repeat(30)] };
const attribute = {
  type: 'object',
  properties: {
    key: { enum: ['user.email', 'user.id', 'type', '__proto__'] },
    value: {
      type: 'object',
      properties: {
        stringValue: { type: 'string', maxLength: 100 },
        intValue: { type: 'integer' },
        kvlistValue: { enum: [NESTED] },
      },
    },
  },
};
const schemas = {
  OtlpPoint: {
    type: 'object',
    properties: {
      name: { enum: [COUNTER, COST] },
      unit: { enum: ['s', 'ms', 'h', '1', 'constructor'] },
      aggregationTemporality: {
        anyOf: [
          { const: 1 },
          { const: 2 },
          { enum: ['AGGREGATION_TEMPORALITY_CUMULATIVE', 'AGGREGATION_TEMPORALITY_DELTA'] },
        ],
      },
      isMonotonic: { type: 'boolean' },
      asDouble: { type: 'number', maximum: 90_000 },
      asInt: { enum: ['1', '-1', '9007199254740993', '18446744073709551616', '1e400'] },
      startTimeUnixNano: instant,
      timeUnixNano: instant,
      attributes: { type: 'array', items: attribute, maxItems: 128 },
    },
  },
  OtlpAnswer: {
    type: 'object',
    additionalProperties: false,
    properties: {
      partialSuccess: {
        type: 'object',
        required: ['rejectedDataPoints', 'errorMessage'],
        additionalProperties: false,
        properties: { rejectedDataPoints: { type: 'string', pattern: '^\\d+$' }, errorMessage: { type: 'string' } },
      },
    },
  },
};

/** @param {string} name */
const inJson = (name) => ({ content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } });

/** Returns an OpenAPI document that also describes this call: a data point of it, and answers like those to other events. @param {any} document */
export function withOtlp(document) {
  const { responses } = document.paths['/api/meters/events/'].post;
  const post = { requestBody: inJson('OtlpPoint'), responses: { ...responses, 200: inJson('OtlpAnswer') } };
  return {
    ...document,
    paths: { ...document.paths, '/v1/metrics': { post } },
    components: { ...document.components, schemas: { ...document.components.schemas, ...schemas } },
  };
}
