import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldPath, FieldValues, Resolver, UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { parseDecimal } from './formatting.ts';
import { ApiError } from './http-errors.ts';
import './zod-without-eval.ts';

/**
 * Returns a resolver that validates a form with the contract's schema; `read` builds the request from the typed values.
 */
export const requestResolver = <Typed extends FieldValues, Request>(
  schema: z.ZodType<Request>,
  read: (typed: Typed) => unknown,
): Resolver<Typed, unknown, Request> => zodResolver(z.custom<Typed>().transform(read).pipe(schema));

/** Returns the number in a field; NaN, which every schema rejects, if there is none. */
export const readNumber = (text: string): number => parseDecimal(text) ?? NaN;

const FINER_THAN_CENTS = 0.001;

/**
 * Returns the amount in a field, or undefined if it is empty. Three decimals may be meant as thousands ("1.000"), so
 * they become an amount finer than cents, which the contract rejects.
 */
export function readMoney(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  return /[.,]\d{3,}$/.test(text.trim()) ? FINER_THAN_CENTS : readNumber(text);
}

/** Shows the server's field errors under their fields and focuses the first. Returns whether there were any. */
export function showFieldErrors<V extends FieldValues, Context, Output>(
  form: Pick<UseFormReturn<V, Context, Output>, 'setError'>,
  error: unknown,
  names: readonly FieldPath<V>[],
): boolean {
  if (!(error instanceof ApiError)) return false;
  const { fields } = error;
  const invalidFields = names.filter((name) => fields[name]?.[0]);
  invalidFields.forEach((name, index) => {
    form.setError(name, { type: 'server', message: fields[name]?.[0] ?? '' }, { shouldFocus: index === 0 });
  });
  return invalidFields.length > 0;
}
