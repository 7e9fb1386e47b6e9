import type { Endpoint } from '@hourshare/contract/endpoints';
import { z } from 'zod';

// Without names, every schema is inlined, and the compiled serializer needs no references.
const nameless = z.registry<z.GlobalMeta>();

/**
 * Returns a schema in the dialect whose `nullable` the serializer's compiler understands without trying alternatives.
 * Bounds and formats are omitted, because the serializer only checks types.
 */
const compiled = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    metadata: nameless,
    override: ({ jsonSchema }) => {
      for (const bound of ['minimum', 'maximum', 'exclusiveMinimum', 'pattern', 'format'] as const)
        delete jsonSchema[bound];
    },
  });

/** Tests build many apps, and this takes a fifth of the time of each. */
const known = new WeakMap<Endpoint, Record<number, unknown>>();

/**
 * Returns JSON Schemas by status, from which Fastify compiles each response's serializer once at startup. Errors have none, because
 * `sendFailure` writes each of their fields.
 */
export function serializersOf(endpoint: Endpoint): Record<number, unknown> {
  const byStatus = known.get(endpoint) ?? {};
  if (known.has(endpoint)) return byStatus;
  for (const [status, schema] of Object.entries(endpoint.answers)) {
    if (Number(status) !== 204) byStatus[Number(status)] = compiled(schema);
  }
  known.set(endpoint, byStatus);
  return byStatus;
}
