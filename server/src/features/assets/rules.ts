/** Dollars with at most two decimals to whole cents; the contract has refused anything finer. */
export const toCents = (dollars: number): number => Math.round(dollars * 100);

/** Whole cents to dollars as a JSON number with at most two decimals. */
export const toDollars = (cents: number): number => cents / 100;
