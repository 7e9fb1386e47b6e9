import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { ApiError } from './http-errors.ts';

/** Puts the sentences that the server tied to fields under those fields, and the cursor into the first of them. */
export function showFieldErrors<V extends FieldValues>(
  form: Pick<UseFormReturn<V>, 'setError'>,
  error: unknown,
  names: readonly FieldPath<V>[],
): boolean {
  if (!(error instanceof ApiError)) return false;
  const { fields } = error;
  const atFault = names.filter((name) => fields[name]?.[0]);
  atFault.forEach((name, index) => {
    form.setError(name, { type: 'server', message: fields[name]?.[0] ?? '' }, { shouldFocus: index === 0 });
  });
  return atFault.length > 0;
}
