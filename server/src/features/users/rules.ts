import type { PaymentDetails, PaymentDetailsUpdate, PaymentMethod } from '@hourshare/contract/payment-methods';

/** The kinds whose first way has a field of its own. */
const FIELDS = { iban: 'iban', link: 'link', text: 'note' } as const;

export function toPaymentDetails(methods: PaymentMethod[]): PaymentDetails {
  const first = (field: keyof typeof FIELDS) => methods.find(({ kind }) => kind === FIELDS[field])?.value ?? null;
  return { iban: first('iban'), link: first('link'), text: first('text'), methods };
}

/**
 * Returns someone's ways to be paid after an update, which may be too many. A new IBAN loses the holder of the one before, because it
 * may be someone else's account.
 */
export function updatedMethods(methods: PaymentMethod[], update: PaymentDetailsUpdate): PaymentMethod[] {
  let next: PaymentMethod[] =
    update.methods?.map(({ kind, value, holder = null, town = null }) => ({ kind, value, holder, town })) ?? methods;
  for (const field of ['iban', 'link', 'text'] as const) {
    const value = update[field];
    const kind = FIELDS[field];
    const index = next.findIndex((method) => method.kind === kind);
    if (value === undefined || value === next[index]?.value) continue;
    const changed = value === null ? [] : [{ kind, value, holder: null, town: null }];
    next = index === -1 ? [...next, ...changed] : next.toSpliced(index, 1, ...changed);
  }
  return next;
}
