import type { z } from 'zod';
import { fail, ok, type Failure, type Result } from '../result.ts';

/** Zod's findings as the wire has them: a sentence by field, and the first of them as the error itself. */
function asFailure(error: z.ZodError): Failure {
  const fields: Record<string, string[]> = {};
  const note = (field: string, sentence: string) => (fields[field] ??= []).push(sentence);
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) note(key, 'Unknown field');
    else if (issue.path.length > 0) note(issue.path.join('.'), issue.message);
  }
  const first = Object.values(fields)[0]?.[0];
  if (first === undefined) return fail('malformed_request', { message: 'Send a JSON object.' });
  const unknown = Object.keys(fields).find((field) => fields[field]?.[0] === first);
  return fail('validation_failed', {
    message: first === 'Unknown field' ? `Unknown field "${unknown}"` : first,
    fields: Object.assign(Object.create(null), fields) as Record<string, string[]>,
  });
}

/** Checks one part of a request. Paths that cannot name anything answer as an unknown id does. */
export function check(
  schema: z.ZodType | undefined,
  value: unknown,
  part: 'params' | 'query' | 'body',
): Result<unknown> {
  if (!schema) return ok(undefined);
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  return part === 'params' ? fail('not_found') : asFailure(parsed.error);
}
