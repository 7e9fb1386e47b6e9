/** Whole seconds to hours with two decimals, half up: the only rounding that use ever goes through, on the wire. */
export const toHours = (seconds: number): number => Math.round(seconds / 36) / 100;
