import { z } from 'zod';
import { issue } from './sentences.ts';

/**
 * How a cost is split: as the price of its month, by the month's use, evenly, by allowance, or not at all, because it is one
 * person's. By use without any use: by allowance; without allowances, the owner bears it.
 */
export const CostSplit = z.enum(['month', 'usage', 'equal', 'allocation', 'person'], issue('cost_split_rule'));
export type CostSplit = z.infer<typeof CostSplit>;
