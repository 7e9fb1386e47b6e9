import { readIssue } from '@hourshare/contract/sentences';
import type { z } from 'zod';
import { fail, ok, type Failure, type Result } from '../result.ts';

const UNKNOWN_FIELD = 'Unknown field';

/** Returns Zod's issues as a failure: messages by field, and the first one as the error itself. */
function asFailure(error: z.ZodError): Failure {
  // A map, because a field name may match a property of every object.
  const fields = new Map<string, Set<string>>();
  // A set, because several checks may share a message.
  const note = (field: string, message: string) => fields.set(field, new Set(fields.get(field)).add(message));
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) note([...issue.path, key].join('.'), UNKNOWN_FIELD);
    else if (issue.path.length > 0) note(issue.path.join('.'), issue.message);
  }
  const [first] = fields;
  if (!first) return fail('malformed_request', { sentence: { english: 'Send a JSON object.' } });
  const [field, [message = '']] = first;
  return fail('validation_failed', {
    sentence: readIssue(message === UNKNOWN_FIELD ? `Unknown field "${field}"` : message),
    fields: Object.fromEntries([...fields].map(([name, messages]) => [name, [...messages].map(readIssue)])),
  });
}

/** Validates one part of a request. Invalid path parameters answer like unknown ids. */
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
