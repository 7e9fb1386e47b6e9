import { toAmount } from '@hourshare/contract/money';
import type { CostOnLine, StatementCost } from '@hourshare/contract/statements';
import type { ClosedCost } from '../sql.ts';
import type { ClosedPeriod, OpenPeriod } from '../store.ts';
import type { CostPart, CostPiece } from './rules.ts';

/** A cost as a statement shows it, open or closed. People are the positions of their lines. */
export interface CostOfPeriod extends Omit<ClosedCost, 'parts'> {
  /** Null once the period is closed. */
  version: number | null;
  status: 'proposed' | 'counted';
  /** In the order of the lines; null of one that isn't counted. */
  parts: CostPart[] | null;
}

/** Returns the costs of an open period with the parts of those that count, in their order. */
export function openCosts(period: OpenPeriod, parts: readonly CostPart[][]): CostOfPeriod[] {
  const ids = [period.owner_id, ...period.members.map(({ userId }) => userId)];
  const positionOf = (id: number | null) => {
    const position = id === null ? -1 : ids.indexOf(id);
    return position < 0 ? null : position;
  };
  const counted = period.costs.filter(({ status }) => status === 'counted');
  return period.costs.map((cost) => ({
    id: cost.id,
    version: cost.version,
    day: cost.day,
    text: cost.text,
    cents: cost.cents,
    split: cost.split,
    status: cost.status,
    payer: positionOf(cost.payerId),
    person: positionOf(cost.personId),
    author: positionOf(cost.authorId),
    parts: cost.status === 'counted' ? (parts[counted.indexOf(cost)] ?? null) : null,
  }));
}

/** Returns the recorded costs of a closed period. */
export function closedCosts({ costs, lines }: ClosedPeriod): CostOfPeriod[] {
  const positionOf = (place: number | null) => {
    const position = place === null ? -1 : lines.findIndex((line) => line.place === place);
    return position < 0 ? null : position;
  };
  return costs.map(({ parts, ...cost }) => ({
    ...cost,
    version: null,
    status: 'counted',
    payer: positionOf(cost.payer),
    person: positionOf(cost.person),
    author: positionOf(cost.author),
    parts: lines.flatMap(({ place }) => parts.find((part) => part.place === place) ?? []),
  }));
}

/** Returns those that count, as the statement of a closed month records them. */
export const toClosedCosts = (costs: readonly CostOfPeriod[], places: readonly number[]): ClosedCost[] =>
  costs.flatMap(({ version: _version, status, parts, ...cost }) => {
    const placeOf = (position: number | null) => (position === null ? null : (places[position] ?? null));
    if (status !== 'counted' || !parts) return [];
    return {
      ...cost,
      payer: placeOf(cost.payer),
      person: placeOf(cost.person),
      author: placeOf(cost.author),
      parts: parts.map((part, position) => ({ ...part, place: places[position] ?? 0 })),
    };
  });

/** Returns whether the member of a line sees a cost: they had access on its date, paid it, or entered it. */
const isShownOn = (cost: CostOfPeriod, position: number, access: (cost: CostOfPeriod) => boolean): boolean =>
  cost.payer === position || cost.author === position || access(cost);

/** Returns the costs that a reader sees, whose line has a position; the owner sees all. */
export function toStatementCosts(
  costs: readonly CostOfPeriod[],
  {
    position,
    names,
    currency,
    hadAccess,
  }: {
    position: number;
    names: readonly string[];
    currency: string;
    hadAccess: (costId: number) => boolean;
  },
): StatementCost[] {
  const nameOf = (line: number | null) => (line === null ? null : (names[line] ?? null));
  return costs
    .filter((cost) => position === 0 || isShownOn(cost, position, ({ id }) => hadAccess(id)))
    .map((cost) => ({
      id: cost.id,
      version: cost.version,
      date: cost.day,
      text: cost.text,
      amount: toAmount(cost.cents, currency),
      split: cost.split,
      status: cost.status,
      paid_by: nameOf(cost.payer),
      person: nameOf(cost.person),
      author: nameOf(cost.author),
    }));
}

const toPiece = (piece: CostPiece, currency: string): CostOnLine['explanation'][number] => ({
  method: piece.method,
  price: toAmount(piece.cents, currency),
  amount: toAmount(piece.amountCents, currency),
  part: piece.part,
  whole: piece.whole,
  unit: piece.unit,
});

/** Returns a line's parts of costs. */
export const toLineCosts = (costs: readonly CostOfPeriod[], position: number, currency: string): CostOnLine[] =>
  costs.flatMap(({ id, parts }) => {
    const part = parts?.[position];
    if (!part || part.standing === 'out') return [];
    return {
      id,
      amount: toAmount(part.cents, currency),
      split_amount: toAmount(part.splitCents, currency),
      standing: part.standing,
      // The owner's is what the others don't pay.
      explanation: position === 0 ? [] : part.pieces.map((piece) => toPiece(piece, currency)),
    };
  });
