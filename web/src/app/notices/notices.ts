import type { Balance, Settlement, SettlementEventKind } from '@hourshare/contract/settlements';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import type { LinkProps } from '@tanstack/react-router';
import { findOwnLine } from '../../features/statements/rules.ts';
import { formatHours, formatMoney } from '../../lib/formatting.ts';
import { t } from '../../lib/messages.ts';
import { sumAmounts } from '../../lib/money.ts';
import { monthText } from '../../lib/months.ts';
import { assetDialog, paths, shareDialog, statementPage } from '../../lib/paths.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { dayText, daysAgo } from '../../lib/time.ts';

/** What someone did, or what happened to a month, with a link to it. */
export interface Notice {
  key: string;
  /** An ISO instant. */
  at: string;
  text: string;
  detail: string;
  /** Whether it waits for an answer. */
  isOffer?: true;
  /** Whose tile to show; a month has none. */
  about: { asset: string } | { person: string } | null;
  link: Pick<LinkProps, 'to' | 'search' | 'params'>;
}

/** Lists that the app's pages use, too. */
export interface NoticeSources {
  username: string;
  shares: SharedAsset[];
  balances: Balance[];
  settlements: Settlement[];
  /** Those of the last two months. */
  statements: Statement[];
}

const SHOWN_DAYS = 30;

/** Returns the notices of the last 30 days: open offers, then the others, newest first. */
export function findNotices({ username, ...sources }: NoticeSources, now = serverNow()): Notice[] {
  return [
    ...sources.shares.map(sharedNotice),
    ...sources.shares.flatMap(managerNotices),
    ...sources.shares.flatMap(handoverNotices),
    ...sources.shares.flatMap((share) => proposalNotices(share, username)),
    ...sources.balances.flatMap((balance) => sentNotices(balance, now)),
    ...sources.statements.flatMap((statement) => paidNotices(statement, username)),
    ...sources.settlements.flatMap((settlement) => settlementNotices(settlement, username)),
    ...monthNotices(sources.statements, now),
  ]
    .filter(({ at }) => daysAgo(at, now) < SHOWN_DAYS)
    .toSorted((a, b) => Number(b.isOffer ?? 0) - Number(a.isOffer ?? 0) || Date.parse(b.at) - Date.parse(a.at));
}

function sharedNotice({ id, asset_name: asset, owner, shared_at: at, offer, ...share }: SharedAsset): Notice {
  const hours = formatHours(share.monthly_hours_allocated);
  return {
    key: `share-${id}`,
    at,
    text: offer
      ? t('{owner} offers you {asset}', { owner, asset })
      : t('{owner} shared {asset} with you', { owner, asset }),
    detail: offer
      ? t('{price} a month in total, {hours} for you', { price: formatMoney(offer.price, offer.currency), hours })
      : t('{hours} a month', { hours }),
    ...(offer && { isOffer: true }),
    about: { asset },
    link: { to: paths.shared, search: shareDialog(id, 'usage') },
  };
}

/** The owner made the user a co-manager. */
function managerNotices({
  id,
  asset_name: asset,
  owner,
  manager_since: at,
  asset: { id: assetId },
}: SharedAsset): Notice[] {
  if (at === null) return [];
  return [
    {
      key: `manager-${id}-${at}`,
      at,
      text: t('{owner} made you a co-manager of {asset}', { owner, asset }),
      detail: t('You can now manage it with {owner}', { owner }),
      about: { asset },
      link: { to: paths.shared, search: assetDialog(assetId, 'details') },
    },
  ];
}

/** An asset that its owner is handing over to the user, until the user has answered. */
function handoverNotices({ id, asset_name: asset, owner, handover }: SharedAsset): Notice[] {
  if (!handover || handover.accepted) return [];
  return [
    {
      key: `handover-${id}`,
      at: handover.offered_at,
      text: t('{owner} wants to hand {asset} over to you', { owner, asset }),
      detail: t('Starting {month}', { month: monthText(handover.from_month) }),
      isOffer: true,
      about: { asset },
      link: { to: paths.shared, search: shareDialog(id, 'usage') },
    },
  ];
}

/** Terms that the owner proposes for this month, until the user has answered. */
function proposalNotices(
  { id, asset_name: asset, owner, proposed_terms: proposed }: SharedAsset,
  username: string,
): Notice[] {
  const own = proposed?.members.find((member) => member.username === username);
  if (!proposed || own?.agreed !== null) return [];
  return [
    {
      key: `terms-${proposed.id}`,
      at: proposed.proposed_at,
      text: t('{owner} wants to change how {month} is split', { owner, month: monthText(proposed.month) }),
      detail: asset,
      about: { asset },
      link: { to: paths.shared, search: shareDialog(id, 'usage') },
    },
  ];
}

/** One for all charges of a person in one currency that are marked as sent on the same day. */
function sentNotices({ username: name, currency, lines }: Balance, now: number): Notice[] {
  const sent = lines.flatMap((line) =>
    // A payment has its own notice.
    line.direction === 'they_owe' && line.status === 'sent' && line.sent_amount === 0 && line.status_since !== null
      ? { ...line, at: line.status_since }
      : [],
  );
  return [...groupBy(sent, ({ at }) => String(daysAgo(at, now))).values()].map((charges) => {
    const amount = formatMoney(
      sumAmounts(
        charges.map((charge) => charge.open_amount),
        currency,
      ),
      currency,
    );
    const at = latest(charges.map((charge) => charge.at));
    return {
      key: `sent-${name}-${currency}-${at}`,
      at,
      text: t('{name} marked {amount} as sent', { name, amount }),
      detail: chargesText(charges),
      about: { person: name },
      link: { to: paths.costs, search: { person: name, currency } },
    };
  });
}

/** A charge of the user's that its owner marked as paid. A recorded payment has its own notice. */
function paidNotices(statement: Statement, username: string): Notice[] {
  const { asset_id: assetId, owner, month, currency } = statement;
  const line = findOwnLine(statement, username);
  if (line?.role !== 'member' || line.status !== 'paid' || line.settled || line.status_since === null) return [];
  return [
    {
      key: `paid-${line.id}`,
      at: line.status_since,
      text: t('{name} marked {amount} as paid', { name: owner, amount: formatMoney(line.amount, currency) }),
      detail: chargeText(statement),
      about: { person: owner },
      link: assetId === null ? { to: paths.costs } : statementPage(assetId, month),
    },
  ];
}

/** What the other person did to a payment. */
function settlementNotices(settlement: Settlement, username: string): Notice[] {
  const { id, username: name, currency, lines } = settlement;
  return settlement.events.flatMap((event, index) => {
    const describe = event.username === username ? null : eventTexts[event.kind];
    if (describe === null) return [];
    return {
      key: `settlement-${id}-${index}`,
      at: event.at,
      text: describe({ name, amount: formatMoney(settlement.amount, currency) }, settlement),
      detail: chargesText(lines),
      about: { person: name },
      link: { to: paths.costs, search: settlement.status === 'sent' ? { person: name, currency } : {} },
    };
  });
}

interface EventValues {
  name: string;
  amount: string;
}

/** What the other person did, by kind; null for what isn't news. */
const eventTexts: Record<SettlementEventKind, ((values: EventValues, settlement: Settlement) => string) | null> = {
  sent: (values) => t('{name} sent you {amount}: please confirm it', { ...values }),
  paid: ({ name, amount }, settlement) =>
    settlement.amount === 0
      ? t('You and {name} settled up', { name })
      : settlement.direction === 'you_paid'
        ? t('{name} recorded your payment of {amount}', { name, amount })
        : t('{name} recorded a payment of {amount} to you', { name, amount }),
  confirmed: (values) => t('{name} confirmed your payment of {amount}', { ...values }),
  not_received: (values) => t('{name} marked your payment of {amount} as not received', { ...values }),
  undo_asked: (values) => t('{name} asks to undo a payment of {amount}', { ...values }),
  confirmation_undone: (values) => t('{name} undid confirming your payment of {amount}', { ...values }),
  undone: (values) => t('{name} undid a payment of {amount}', { ...values }),
  undo_withdrawn: null,
};

/** One for all assets whose month closes, or closed, at the same time. */
function monthNotices(statements: Statement[], now: number): Notice[] {
  const ended = statements.filter(({ ended: hasEnded, lines }) => hasEnded && lines.length > 0);
  const groups = groupBy(ended, ({ month, closed, closes_at }) => `${month}-${closed}-${closes_at}`);
  return [...groups].flatMap(([key, months]) => {
    const [first] = months;
    if (!first) return [];
    const { asset_id: assetId, closed, ends_at: endedAt, closes_at: closesAt } = first;
    const month = monthText(first.month);
    return {
      key: `month-${key}`,
      // An owner can close a month before it closes by itself.
      at: closed && Date.parse(closesAt) <= now ? closesAt : endedAt,
      text: closed
        ? t('{month} is closed', { month })
        : t('{month} closes on {day}', { month, day: dayText(closesAt) }),
      detail:
        months.length === 1
          ? first.asset_name
          : t('{count, plural, one {# asset} other {# assets}}', { count: months.length }),
      about: null,
      link: months.length === 1 && assetId !== null ? statementPage(assetId, first.month) : { to: paths.costs },
    };
  });
}

const chargeText = ({ asset_name: asset, month }: Pick<Statement, 'asset_name' | 'month'>) =>
  t('{asset}, {month}', { asset, month: monthText(month) });

function chargesText(charges: Pick<Statement, 'asset_name' | 'month'>[]): string {
  const [first, ...others] = charges;
  if (!first) return '';
  return others.length === 0
    ? chargeText(first)
    : t('{count, plural, one {# charge} other {# charges}}', { count: charges.length });
}

const latest = (instants: string[]) => instants.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? '';

function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
