// A reference implementation of the split of extra costs, written from docs/how-costs-are-split.md: cent by cent, with exact
// fractions. It knows a month only by its figures.

interface PlainParticipant {
  userId: number;
  seconds: number;
  /** Allowances and days with access of the whole month, added up. */
  summedHours: number;
  days: number;
  /** Null for the owner, and for whoever bears everything. */
  limit: number | null;
}

export interface PlainCostMonth {
  method: 'usage' | 'allocation' | 'equal' | 'share_of_use';
  basePercent: number;
  monthDays: number;
  /** Months since January 2000. */
  turn: number;
  totalHours: number;
  places: number;
  reservedHours: number;
  /** The owner's seconds count only if they take part. */
  ownerTakesPart: boolean;
  /** The owner first. */
  people: PlainParticipant[];
}

export interface PlainCost {
  cents: number;
  split: 'month' | 'usage' | 'equal' | 'allocation' | 'person';
  /** Who entered it, and so said yes to it; null for the owner. */
  authorId: number | null;
  payerId: number | null;
  personId: number | null;
  hoursOnDate: Map<number, number>;
  /** A yes up to an amount, or `no`. */
  answers: Map<number, number | 'no'>;
}

/** Gives away an amount one cent after the other, each to whoever lacks most of what is theirs. */
function share(cents: number, weights: Map<number, number>, turn: number): Map<number, number> {
  const ids = [...weights.keys()].toSorted((a, b) => a - b);
  const first = ids[0] ?? 0;
  const total = BigInt([...weights.values()].reduce((sum, weight) => sum + weight, 0));
  const [owner = first] = weights.keys();
  if (total === 0n) return new Map(ids.map((id) => [id, id === owner ? cents : 0]));
  const given = new Map(ids.map((id) => [id, Number((BigInt(cents) * BigInt(weights.get(id) ?? 0)) / total)]));
  let rest = cents - [...given.values()].reduce((sum, each) => sum + each, 0);
  // The one whose turn it is comes first, then those with the next ids.
  const start = turn % ids.length;
  const inTurn = [...ids.slice(start), ...ids.slice(0, start)];
  const lacking = (id: number) => BigInt(cents) * BigInt(weights.get(id) ?? 0) - BigInt(given.get(id) ?? 0) * total;
  while (rest > 0) {
    let most = inTurn[0] ?? 0;
    for (const id of inTurn) if (lacking(id) > lacking(most)) most = id;
    given.set(most, (given.get(most) ?? 0) + 1);
    rest -= 1;
  }
  return given;
}

function monthWeights(month: PlainCostMonth, present: PlainParticipant[], method: PlainCostMonth['method']) {
  const [owner, ...members] = present;
  const weights = new Map<number, number>();
  if (!owner) return weights;
  const own = {
    usage: [month.totalHours * 3600, (each: PlainParticipant) => each.seconds],
    allocation: [month.totalHours * month.monthDays, (each: PlainParticipant) => each.summedHours],
    equal: [month.places * month.monthDays, (each: PlainParticipant) => each.days],
    share_of_use: [0, (each: PlainParticipant) => each.seconds],
  } as const;
  const [whole, of] = own[method];
  const byHours = method === 'usage' || method === 'allocation';
  for (const each of present) weights.set(each.userId, byHours && month.totalHours === 0 ? 0 : of(each));
  if (method === 'share_of_use') weights.set(owner.userId, month.ownerTakesPart ? owner.seconds : 0);
  else {
    const taken = members.reduce((sum, each) => sum + (weights.get(each.userId) ?? 0), 0);
    weights.set(owner.userId, Math.max(0, whole - taken));
  }
  return weights;
}

function sharesOf(month: PlainCostMonth, cost: PlainCost): Map<number, number> {
  const present = month.people.filter((each, index) => index === 0 || cost.hoursOnDate.has(each.userId));
  const owner = present[0]?.userId ?? 0;
  const known = new Set(month.people.map(({ userId }) => userId));
  const gone = [...cost.hoursOnDate].filter(([userId]) => !known.has(userId));
  const hoursGone = gone.reduce((sum, [, each]) => sum + each, 0);
  const of = (weight: (each: PlainParticipant) => number) =>
    share(cost.cents, new Map(present.map((each) => [each.userId, weight(each)])), month.turn);
  const hours = (each: PlainParticipant) =>
    each.userId === owner ? month.reservedHours + hoursGone : (cost.hoursOnDate.get(each.userId) ?? 0);
  const used = (each: PlainParticipant) => (each.userId === owner && !month.ownerTakesPart ? 0 : each.seconds);
  if (cost.split === 'equal') return of((each) => (each.userId === owner ? 1 + gone.length : 1));
  if (cost.split === 'person') return of((each) => (each.userId === cost.personId ? 1 : 0));
  if (cost.split === 'allocation') return of(hours);
  if (cost.split === 'usage') return present.some((each) => used(each) > 0) ? of(used) : of(hours);
  const hasBase = month.method === 'usage' || month.method === 'share_of_use';
  const base = hasBase ? Math.floor((cost.cents * month.basePercent) / 100 + 0.5) : 0;
  const first = share(base, monthWeights(month, present, 'allocation'), month.turn);
  const second = share(cost.cents - base, monthWeights(month, present, month.method), month.turn);
  return new Map([...first].map(([id, cents]) => [id, cents + (second.get(id) ?? 0)]));
}

/** Returns what each participant of a month bears of its costs, and has paid. */
export function plainCostLines(month: PlainCostMonth, costs: PlainCost[]): { costCents: number; paidCents: number }[] {
  const [owner, ...members] = month.people;
  const lines = month.people.map(() => ({ costCents: 0, paidCents: 0 }));
  const spent = new Map<number, number>();
  for (const cost of costs) {
    const shares = sharesOf(month, cost);
    let rest = cost.cents;
    members.forEach((member, index) => {
      const part = shares.get(member.userId) ?? 0;
      const given = cost.answers.get(member.userId);
      const answer = given !== 'no' && member.userId === cost.authorId ? Infinity : given;
      const before = spent.get(member.userId) ?? 0;
      const fits = member.limit === null || before + part <= member.limit;
      if (answer === 'no') return;
      const covers = answer !== undefined && part <= answer;
      const paid = covers || fits ? part : (answer ?? 0);
      if (!covers && fits) spent.set(member.userId, before + part);
      const line = lines[index + 1];
      if (line) line.costCents += paid;
      rest -= paid;
    });
    const own = lines[0];
    if (own && owner) own.costCents += rest;
    month.people.forEach((each, index) => {
      const line = lines[index];
      if (line && each.userId === cost.payerId) line.paidCents += cost.cents;
    });
  }
  return lines;
}
