// What columns of plans contain, for stores that read them.
export type { Plan, PricePart } from './rules.ts';
