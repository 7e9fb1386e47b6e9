import { zodResolver } from '@hookform/resolvers/zod';
import { priceProblem, SubscriptionCost } from '@hourshare/contract/fields';
import { asciiFigures } from '@hourshare/contract/figures';
import { decimalsOf } from '@hourshare/contract/money';
import { issueOf, readIssue } from '@hourshare/contract/sentences';
import { flushSync } from 'react-dom';
import type { FieldPath, FieldValues, Resolver, UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { fieldText, issueText, sentenceText } from '../i18n/error-texts.ts';
import { currencySymbol, parseDecimal } from '../format/numbers.ts';
import './zod-without-eval.ts';

/**
 * Returns a resolver that validates a form with the contract's schema, with messages in the current language; `read`
 * builds the request from the typed values.
 */
export const requestResolver = <Typed extends FieldValues, Request>(
  schema: z.ZodType<Request>,
  read: (typed: Typed) => unknown,
): Resolver<Typed, unknown, Request> => {
  const resolve = zodResolver(z.custom<Typed>().transform(read).pipe(schema));
  return async (values, context, options) => {
    const result = await resolve(values, context, options);
    translateErrors(result.errors);
    giveToFields(result.errors, options.fields);
    return result;
  };
};

/** Gives a problem of `cycle.anchor` in the request to the field `cycle_anchor`, so that it is shown and focused there. */
function giveToFields(errors: Record<string, unknown>, fields: object): void {
  for (const [whole, problems] of Object.entries(errors))
    for (const [part, problem] of Object.entries(problems ?? {}))
      if (`${whole}_${part}` in fields) errors[`${whole}_${part}`] = problem;
}

/** Puts messages into the current language, also those of nested fields. */
function translateErrors(errors: object): void {
  for (const error of Object.values(errors) as unknown[]) {
    if (typeof error !== 'object' || error === null) continue;
    if ('message' in error && typeof error.message === 'string') error.message = issueText(error.message);
    else if (!('type' in error)) translateErrors(error);
  }
}

/** Returns the number in a field; NaN, which every schema rejects, if there is none. */
export const readNumber = (text: string): number => parseDecimal(asciiFigures(text)) ?? NaN;

const TOO_FINE = 0.000_01;

/** '1,234.50', '1.234,50', '1 234,50', "1'234.50", '1,234,567': the signs that can only group thousands. */
const GROUPED = [
  /^\d{1,3}(?:,\d{3})+(?=\.\d)/,
  /^\d{1,3}(?:\.\d{3})+(?=,\d)/,
  /^\d{1,3}(?:[ '’]\d{3})+(?=[.,]|$)/,
  /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$/,
];

/** '1.234,50 €' → '1234,50'. A single sign may be a thousands separator or the decimal sign, and stays. */
function withoutMarks(text: string, currency: string): string {
  const figures = [currency, currencySymbol(currency)]
    .reduce((rest, mark) => rest.replace(mark, ''), asciiFigures(text))
    .replace(/\p{Sc}/u, '')
    .trim();
  const grouped = GROUPED.find((pattern) => pattern.test(figures));
  return grouped ? figures.replace(grouped, (whole) => whole.replace(/\D/g, '')) : figures;
}

/**
 * Returns the amount in a field, or undefined if it is empty. Three decimals may be meant as thousands ("1.000"), so
 * they become an amount that is too fine for any currency, except in a currency that has three.
 */
export function readMoney(text: string, currency: string): number | undefined {
  if (text.trim() === '') return undefined;
  const figures = withoutMarks(text, currency);
  return decimalsOf(currency) < 3 && /[.,]\d{3,}$/.test(figures) ? TOO_FINE : readNumber(figures);
}

/** Checks a request's price by the decimals of its currency. */
export const priceIn =
  (currency: string) =>
  ({ subscription_cost: cost }: { subscription_cost: number }, context: z.RefinementCtx): void => {
    const problem = priceProblem(cost, currency);
    if (problem) context.addIssue({ code: 'custom', path: ['subscription_cost'], message: issueOf(problem) });
  };

/** Returns what is wrong with a typed price in a currency; undefined if nothing is, or nothing is typed. */
export function costProblem(text: string, currency: string): string | undefined {
  const cost = readMoney(text, currency);
  if (cost === undefined) return undefined;
  const [issue] = SubscriptionCost.safeParse(cost).error?.issues ?? [];
  const problem = issue ? readIssue(issue.message) : priceProblem(cost, currency);
  return problem && sentenceText(problem);
}

/**
 * Shows the server's field errors under their fields and focuses the first; those of `cycle.anchor` at `cycle_anchor`. Returns whether
 * there were any.
 */
export function showFieldErrors<V extends FieldValues, Context, Output>(
  form: Pick<UseFormReturn<V, Context, Output>, 'setError'>,
  error: unknown,
  names: readonly FieldPath<V>[],
): boolean {
  const problems = names.flatMap((name) => {
    const message = fieldText(error, name) ?? fieldText(error, name.replace('_', '.'));
    return message ? [{ name, message }] : [];
  });
  problems.forEach(({ name, message }, index) => {
    form.setError(name, { type: 'server', message }, { shouldFocus: index === 0 });
  });
  return problems.length > 0;
}

/** Returns the fields of a request that were edited, so that saving them reverts nothing that someone else has changed meanwhile. */
export const editedOnly = <Request extends object>(
  request: Request,
  dirtyFields: Partial<Record<string, unknown>>,
): Partial<Request> =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- a part of the request
  Object.fromEntries(Object.entries(request).filter(([name]) => dirtyFields[name])) as Partial<Request>;

/**
 * Makes what was sent the saved state of a form, shown as `saved`. Fields in which something was typed since keep it as
 * an edit. Renders at once, so that platform/forms/unsaved.ts knows whether there are edits left.
 */
export function markSaved<V extends FieldValues, Context, Output>(
  form: Pick<UseFormReturn<V, Context, Output>, 'getValues' | 'reset'>,
  sent: V,
  saved: V = sent,
): void {
  const typedSince = Object.entries(form.getValues()).filter(([name, value]) => value !== sent[name]);
  flushSync(() => {
    form.reset(
      { ...saved, ...Object.fromEntries(typedSince) },
      { keepDefaultValues: true, keepFieldsRef: true, keepDirtyValues: false },
    );
    form.reset(saved, { keepValues: true, keepDirtyValues: false });
  });
}

/**
 * Returns whether fields were edited. Unlike `isDirty`, `dirtyFields` doesn't forget it for a moment when a form gets new
 * `values`, and a hidden form that has no edits is removed.
 */
export const hasEdits = (dirtyFields: Partial<Record<string, unknown>>): boolean =>
  Object.values(dirtyFields).includes(true);
