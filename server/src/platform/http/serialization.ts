import type { Endpoint } from '@hourshare/contract/endpoints';
import { ErrorAnswer, errorCatalogue } from '@hourshare/contract/errors';
import { z } from 'zod';

// Without names, every schema is written out in place, and the serializer compiled from it needs no references.
const nameless = z.registry<z.GlobalMeta>();

/**
 * The dialect in which the serializer's compiler understands `nullable`, so that it need not try alternatives. Bounds
 * and formats are left out: it writes what it is given, and checks types alone.
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

const errorSchema = compiled(ErrorAnswer);
const errorStatuses = [...new Set(Object.values(errorCatalogue).map((entry) => entry.status))];

/** JSON Schemas by status, from which Fastify compiles each answer's serializer once, at start. */
export function serializersOf(endpoint: Endpoint): Record<number, unknown> {
  const byStatus: Record<number, unknown> = {};
  for (const status of errorStatuses) byStatus[status] = errorSchema;
  for (const [status, schema] of Object.entries(endpoint.answers)) {
    if (Number(status) !== 204) byStatus[Number(status)] = compiled(schema);
  }
  return byStatus;
}
