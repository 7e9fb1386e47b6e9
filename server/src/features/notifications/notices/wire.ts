import type { Cycle } from '@hourshare/contract/cycles';
import { hueOf } from '@hourshare/contract/fields';
import type { Language } from '@hourshare/contract/users';
import { decimalsOf, toAmount } from '@hourshare/contract/money';
import type { Notice, NoticeKind } from '@hourshare/contract/notifications';
import type { MailText } from '../../../mails.ts';
import { t } from '../../../messages/messages.ts';
import type { NoticeFacts, Terms } from './rules.ts';
import type { StoredNotice } from './sql.ts';

/** In which language and time zone someone reads. */
export interface Reader {
  language: Language;
  timeZone: string;
  /** Whether amounts of money are left out. */
  hidesAmounts?: boolean;
}

/** Stands for an amount that is left out. */
const HIDDEN = '…';

/** Formats values as a reader's language writes them, which is costly to set up. */
function formatsFor({ language, timeZone, hidesAmounts }: Reader) {
  const date = (options: Intl.DateTimeFormatOptions, zone = timeZone) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
  const hours = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'hour',
    unitDisplay: 'long',
    maximumFractionDigits: 2,
  });
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  const month = date({ month: 'long', year: 'numeric' }, 'UTC');
  const time = date({ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  return {
    hours: (count: number) => hours.format(count),
    percent: (part: number) => percent.format(part),
    /** '2026-11' → "November 2026" */
    month: (text: string) => month.format(new Date(`${text}-01T00:00:00Z`)),
    time: (instant: string) => time.format(new Date(instant)),
    /** In the reader's time zone, or another. */
    day: (instant: Date, zone?: string) => date({ month: 'long', day: 'numeric' }, zone).format(instant),
    stretch: ({ start, end }: { start: string; end: string }) => time.formatRange(new Date(start), new Date(end)),
    money: (minor: number, currency: string) =>
      hidesAmounts
        ? HIDDEN
        : new Intl.NumberFormat(language, {
            style: 'currency',
            currency,
            currencyDisplay: currency === 'USD' ? 'narrowSymbol' : 'symbol',
            minimumFractionDigits: decimalsOf(currency),
            maximumFractionDigits: decimalsOf(currency),
          }).format(toAmount(minor, currency)),
  };
}
export type Formats = ReturnType<typeof formatsFor>;

const known = new Map<string, Formats>();
const KNOWN_MAX = 500;

/** Returns how a reader's values are written. */
export function formatsOf(reader: Reader): Formats {
  const key = `${reader.language} ${reader.timeZone} ${reader.hidesAmounts === true}`;
  const formats = known.get(key) ?? formatsFor(reader);
  const [oldest] = known.keys();
  if (!known.has(key) && known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest);
  known.set(key, formats);
  return formats;
}

interface Texts {
  text: string;
  detail: string;
  path: string;
}

/** What the writers get, besides the facts. */
interface About {
  language: Language;
  formats: Formats;
  actor: string;
  hasActor: boolean;
  asset: string;
  assetId: number | null;
  shareId: number | null;
}

// Paths of the app; web/src/platform/paths.ts has them, too.
const sharePage = ({ shareId }: About, tab: string, session?: number) =>
  shareId === null
    ? '/shared'
    : `/shared?share=${shareId}&tab=${tab}${session === undefined ? '' : `&session=${session}`}`;
const assetPage = ({ assetId }: About, tab: string) =>
  assetId === null ? '/assets' : `/assets?asset=${assetId}&tab=${tab}`;
const statementPage = ({ assetId }: About, month: string) =>
  assetId === null ? '/costs' : `/costs/${assetId}/${month}`;
const balancePage = ({ actor, hasActor }: About, currency: string) =>
  hasActor ? `/costs?${new URLSearchParams({ person: actor, currency }).toString()}` : '/costs';
/** The dialog of a share if it has one, or else of the asset. */
const costsPage = (about: About) => (about.shareId === null ? assetPage(about, 'costs') : sharePage(about, 'costs'));
/** Where edits by others are shown: to participants on the statement, to managers in the list of all sessions. */
const editsPage = (about: About, month: string | undefined) =>
  month === undefined ? assetPage(about, 'sessions') : statementPage(about, month);
const PROFILE = '/profile';

function perCycle(price: string, cycle: Cycle | null, language: Language): string {
  const values = { price, count: cycle?.every ?? 1 };
  return cycle?.unit === 'year'
    ? t(language, '{price} every {count, plural, one {year} other {# years}}', values)
    : t(language, '{price} every {count, plural, one {month} other {# months}}', values);
}

type Writers = { [Kind in NoticeKind]: (facts: NoticeFacts[Kind], about: About) => Texts };

const writers: Writers = {
  access_offered(facts, about) {
    const { language, actor, asset, formats } = about;
    const path = sharePage(about, 'usage');
    if ('handover' in facts)
      return { text: t(language, '{actor} wants to hand {asset} over to you', { actor, asset }), detail: '', path };
    return {
      text: facts.accepted
        ? t(language, '{actor} shared {asset} with you', { actor, asset })
        : t(language, '{actor} offers you {asset}', { actor, asset }),
      detail: facts.hours === null ? '' : t(language, '{hours} a month', { hours: formats.hours(facts.hours) }),
      path,
    };
  },
  access_accepted({ handover }, about) {
    const { language, actor, asset } = about;
    return {
      text: handover
        ? t(language, '{actor} will take over {asset}', { actor, asset })
        : t(language, '{actor} accepted {asset}', { actor, asset }),
      detail: '',
      path: assetPage(about, 'share'),
    };
  },
  access_declined({ handover }, about) {
    const { language, actor, asset } = about;
    return {
      text: handover
        ? t(language, '{actor} declined to take over {asset}', { actor, asset })
        : t(language, '{actor} declined {asset}', { actor, asset }),
      detail: '',
      path: assetPage(about, 'share'),
    };
  },
  access_changed(facts, about) {
    const { language, actor, asset, formats } = about;
    const path = sharePage(about, 'usage');
    switch (facts.change) {
      case 'hours':
        return {
          text: t(language, '{actor} changed your hours of {asset}', { actor, asset }),
          detail: changed(about, formats.hours(facts.from_hours), formats.hours(facts.to_hours)),
          path,
        };
      case 'manager_added':
        return {
          text: t(language, '{actor} made you a co-manager of {asset}', { actor, asset }),
          detail: '',
          path: assetPage(about, 'details'),
        };
      case 'manager_removed':
        return { text: t(language, 'You are no longer a co-manager of {asset}', { asset }), detail: '', path };
      case 'handover_withdrawn':
        return {
          text: t(language, '{actor} no longer wants to hand {asset} over to you', { actor, asset }),
          detail: '',
          path,
        };
      case 'archived':
        return {
          text: about.hasActor
            ? t(language, '{actor} archived {asset}', { actor, asset })
            : t(language, 'The plan of {asset} has ended, so it is archived', { asset }),
          detail: t(language, 'No one can use it until it is restored.'),
          path: about.shareId === null ? '/assets' : '/shared',
        };
      case 'restored':
        return {
          text: t(language, '{actor} restored {asset}', { actor, asset }),
          detail: '',
          path: about.shareId === null ? assetPage(about, 'details') : path,
        };
      case 'handover_lapsed':
        return {
          text: t(language, '{asset} was not handed over', { asset }),
          detail: '',
          path: about.shareId === null ? assetPage(about, 'share') : path,
        };
      default:
        return {
          text: t(language, '{asset} was handed over', { asset }),
          detail: '',
          path: assetPage(about, 'details'),
        };
    }
  },
  access_ended({ left, deleted }, about) {
    const { language, actor, asset, hasActor } = about;
    if (deleted)
      return {
        text: hasActor
          ? t(language, '{actor} deleted {asset}', { actor, asset })
          : t(language, '{asset} was deleted', { asset }),
        detail: '',
        path: '/shared',
      };
    if (left)
      return {
        text: t(language, '{actor} left {asset}', { actor, asset }),
        detail: '',
        path: assetPage(about, 'share'),
      };
    return {
      text: t(language, 'You no longer have access to {asset}', { asset }),
      detail: hasActor ? t(language, 'Removed by {actor}', { actor }) : '',
      path: '/shared',
    };
  },
  access_unconfirmed({ change }, about) {
    const { language, actor, asset } = about;
    const texts = {
      shared: t(language, '{actor} added a member to {asset}: please confirm', { actor, asset }),
      invited: t(language, "{actor} accepted a co-manager's invitation to {asset}: please confirm", { actor, asset }),
      hours: t(language, "{actor} raised a member's hours of {asset}: please confirm", { actor, asset }),
    };
    return {
      text: texts[change],
      detail: t(language, 'It counts in the split once you confirm it.'),
      path: assetPage(about, 'share'),
    };
  },
  invitation_accepted(_facts, about) {
    const { language, actor, asset } = about;
    return {
      text: t(language, '{actor} accepted the invitation to {asset}', { actor, asset }),
      detail: '',
      path: assetPage(about, 'share'),
    };
  },
  allowance_nearly_used(facts, about) {
    const { language, asset, formats } = about;
    const percent = formats.percent(Math.floor(facts.used_seconds / 36 / facts.hours) / 100);
    return {
      text: t(language, "You've used {percent} of your hours of {asset}", { percent, asset }),
      detail: usedText(facts, about),
      path: sharePage(about, 'usage'),
    };
  },
  allowance_used: (facts, about) => ({
    text: t(about.language, "You've used all your hours of {asset}", { asset: about.asset }),
    detail: usedText(facts, about),
    path: sharePage(about, 'usage'),
  }),
  session_long: ({ start, ends_by: end }, about) => ({
    text: t(about.language, 'Your session of {asset} is past half of its limit', { asset: about.asset }),
    detail: t(about.language, 'Since {start}; ends automatically {end}', {
      start: about.formats.time(start),
      end: about.formats.time(end),
    }),
    path: sharePage(about, 'usage'),
  }),
  session_limit: (facts, about) => ({
    text: t(about.language, 'Your session of {asset} ended at its limit', { asset: about.asset }),
    detail: about.formats.stretch(facts),
    path: sharePage(about, 'sessions'),
  }),
  session_edited({ before, after, late, month }, about) {
    const { language, actor, asset, formats } = about;
    return {
      text: late
        ? t(language, '{actor} ended a session of {asset} earlier, offline', { actor, asset })
        : t(language, '{actor} edited a session of {asset}', { actor, asset }),
      detail: changed(about, formats.stretch(before), formats.stretch(after)),
      path: editsPage(about, month),
    };
  },
  session_removed({ before, month }, about) {
    const { language, actor, asset, formats } = about;
    return {
      text: t(language, '{actor} removed a session of {asset}', { actor, asset }),
      detail: formats.stretch(before),
      path: editsPage(about, month),
    };
  },
  session_objection({ change, session_id: session, own, month }, about) {
    const { language, actor, asset } = about;
    const texts = {
      made: t(language, '{actor} objected to a session of {asset}', { actor, asset }),
      replied: t(language, '{actor} replied about a session of {asset}', { actor, asset }),
      accepted: t(language, '{actor} accepted the objection to a session of {asset}', { actor, asset }),
      withdrawn: t(language, '{actor} withdrew the objection to a session of {asset}', { actor, asset }),
      upheld: t(language, 'A session of {asset} counts as recorded again', { asset }),
      not_upheld: t(language, 'A session of {asset} still counts as edited', { asset }),
    };
    return {
      text: texts[change],
      detail: change === 'not_upheld' ? t(language, 'Its recorded times would change a closed month.') : '',
      path: own ? sharePage(about, 'sessions', session) : editsPage(about, month),
    };
  },
  session_request({ change, session_id: session, own, month }, about) {
    const { language, actor, asset } = about;
    const texts = {
      made: t(language, '{actor} asks to edit a session of {asset}', { actor, asset }),
      accepted: t(language, '{actor} accepted your edit of a session of {asset}', { actor, asset }),
      declined: t(language, '{actor} declined your edit of a session of {asset}', { actor, asset }),
      withdrawn: t(language, '{actor} no longer asks to edit a session of {asset}', { actor, asset }),
      lapsed: t(language, 'No one answered your edit of a session of {asset}', { asset }),
    };
    return {
      text: texts[change],
      detail: change === 'lapsed' ? t(language, 'The recorded times count.') : '',
      path: own ? sharePage(about, 'sessions', session) : editsPage(about, month),
    };
  },
  price_changed({ month: first, from, to, currency, from_cycle: fromCycle, to_cycle: toCycle }, about) {
    const { language, asset, formats } = about;
    const [month, path] = [formats.month(first), costsPage(about)];
    const isOtherCycle = fromCycle?.every !== toCycle?.every || fromCycle?.unit !== toCycle?.unit;
    if (from === to && !isOtherCycle)
      return { text: t(language, '{asset} is paid differently starting {month}', { asset, month }), detail: '', path };
    const priceOf = (cents: number, cycle: Cycle | null) => {
      const price = formats.money(cents, currency);
      return fromCycle || toCycle ? perCycle(price, cycle, language) : price;
    };
    const price = priceOf(to, toCycle);
    return {
      text: t(language, '{asset} costs {price} starting {month}', { asset, price, month }),
      detail: changed(about, priceOf(from, fromCycle), price),
      path,
    };
  },
  terms_changed(facts, about) {
    const { language, asset, formats } = about;
    return {
      text: t(language, '{asset} is split differently starting {month}', {
        asset,
        month: formats.month(facts.month),
      }),
      detail: termsText(facts, about),
      path: costsPage(about),
    };
  },
  cost({ change, text: cost, amount: minor, currency, month, managed }, about) {
    const { language, actor, hasActor, asset, formats } = about;
    const amount = formats.money(minor, currency);
    const values = { actor, asset, cost };
    const texts = {
      proposed: hasActor
        ? t(language, '{actor} added a cost for {asset}: {cost}', values)
        : t(language, '{asset} has a new cost: {cost}', values),
      counted: t(language, '{actor} counted {cost} for {asset}', values),
      moved: t(language, '{cost} for {asset} was moved to {month}', { ...values, month: formats.month(month) }),
      declined: hasActor
        ? t(language, '{actor} declined {cost} for {asset}', values)
        : t(language, '{cost} for {asset} was declined', values),
      added: t(language, '{asset} has a new cost: {cost}', values),
      changed: t(language, '{actor} changed {cost} for {asset}', values),
      agreed: t(language, '{actor} said yes to {cost} for {asset}', values),
      objected: t(language, '{actor} objected to {cost} for {asset}', values),
    };
    return {
      text: texts[change],
      detail:
        change === 'proposed' || (change === 'moved' && managed)
          ? t(language, '{amount}. Count it or decline it.', { amount })
          : amount,
      path: costsPage(about),
    };
  },
  month_closing({ month, closes_at: closes }, about) {
    const { language, asset, formats } = about;
    return {
      text: t(language, '{month} of {asset} closes on {day}', {
        month: formats.month(month),
        asset,
        day: formats.day(new Date(closes)),
      }),
      detail: t(language, 'Sessions can be edited until {time}', { time: formats.time(closes) }),
      path: statementPage(about, month),
    };
  },
  statement_ready({ month, amount, currency }, about) {
    const { language, asset, formats } = about;
    return {
      text: t(language, 'The statement of {asset} for {month} is ready', { asset, month: formats.month(month) }),
      detail:
        amount === null
          ? ''
          : amount < 0
            ? t(language, 'You get back {amount}', { amount: formats.money(-amount, currency) })
            : t(language, 'Your share: {amount}', { amount: formats.money(amount, currency) }),
      path: statementPage(about, month),
    };
  },
  payment_sent: (facts, about) => paymentTexts(facts, about),
  payment_confirmed: (facts, about) => paymentTexts(facts, about),
  payment_undone: (facts, about) => paymentTexts(facts, about),
  renewal({ kind, on, cancel_by: cancelBy, amount, currency, auto_renews: renews }, about) {
    const { language, asset, formats } = about;
    const values = { asset, day: formats.day(new Date(`${on}T00:00:00Z`), 'UTC') };
    const price = formats.money(amount, currency);
    return {
      text:
        kind === 'trial'
          ? t(language, 'The free trial of {asset} ends; paid from {day}', values)
          : renews
            ? t(language, '{asset} renews on {day}', values)
            : t(language, '{asset} ends on {day} unless renewed', values),
      detail:
        cancelBy === null
          ? price
          : t(language, '{price}; cancel by {day}', {
              price,
              day: formats.day(new Date(`${cancelBy}T00:00:00Z`), 'UTC'),
            }),
      path: '/renewals',
    };
  },
  balance_old({ amount: minor, currency, owes }, about) {
    const { language, actor } = about;
    const amount = about.formats.money(minor, currency);
    return {
      text: owes
        ? t(language, "You've owed {actor} {amount} for more than 30 days", { actor, amount })
        : t(language, '{actor} has owed you {amount} for more than 30 days', { actor, amount }),
      detail: '',
      path: balancePage(about, currency),
    };
  },
  sign_in({ browser, system }, { language }) {
    return {
      text: t(language, 'New sign-in to your account'),
      detail:
        browser !== null && system !== null
          ? t(language, '{browser} on {system}', { browser, system })
          : (browser ?? system ?? t(language, 'Unknown device')),
      path: PROFILE,
    };
  },
  target_off: ({ host }, { language }) => ({
    text: t(language, 'Notifications no longer go to {host}', { host }),
    detail: t(language, 'It has failed for three days.'),
    path: '/settings#targets',
  }),
  password_changed: (_facts, { language }) => ({
    text: t(language, 'Your password was changed'),
    detail: '',
    path: PROFILE,
  }),
  email_changed: (_facts, { language }) => ({
    text: t(language, 'Your email address was changed'),
    detail: '',
    path: PROFILE,
  }),
};

const changed = ({ language }: About, before: string, after: string) =>
  t(language, 'Before: {before}. Now: {after}.', { before, after });

const usedText = (
  { used_seconds: seconds, hours, month }: NoticeFacts['allowance_used'],
  { language, formats }: About,
): string =>
  t(language, '{used} of {total} in {month}', {
    used: formats.hours(Math.floor(seconds / 36) / 100),
    total: formats.hours(hours),
    month: formats.month(month),
  });

/** Returns what differs between terms; hours only of what is measured. */
function termsText({ before, after, currency }: NoticeFacts['terms_changed'], { language, formats }: About): string {
  const ways: Record<string, string> = {
    usage: t(language, 'by use'),
    allocation: t(language, 'by allowance'),
    equal: t(language, 'evenly'),
    share_of_use: t(language, 'by share of use'),
  };
  const parts: { name: string; valueOf: (terms: Terms) => string; hours?: true }[] = [
    { name: t(language, 'Split'), valueOf: (terms) => ways[terms.split_method] ?? terms.split_method },
    { name: t(language, 'Base share'), valueOf: (terms) => formats.percent(terms.base_percent / 100), hours: true },
    { name: t(language, 'Reserved for the owner'), valueOf: (terms) => formats.hours(terms.owner_hours), hours: true },
    { name: t(language, 'Session limit'), valueOf: (terms) => formats.hours(terms.max_session_hours), hours: true },
  ];
  const { max_hour_cents: limit } = after;
  return [
    ...(after.measured || !before.measured ? [] : [t(language, 'Use is no longer measured.')]),
    ...(before.measured || !after.measured ? [] : [t(language, 'Use is measured.')]),
    ...parts
      .filter(({ valueOf, hours }) => (after.measured || !hours) && valueOf(before) !== valueOf(after))
      .map(({ name, valueOf }) =>
        t(language, '{name}: {before}, now {after}.', { name, before: valueOf(before), after: valueOf(after) }),
      ),
    ...(limit === null || limit === before.max_hour_cents
      ? []
      : [t(language, 'An hour costs at most {price}.', { price: formats.money(limit, currency) })]),
    ...(after.extra_cost_cents === before.extra_cost_cents
      ? []
      : [
          t(language, 'Extra costs: up to {amount} a month without being asked.', {
            amount: formats.money(after.extra_cost_cents, currency),
          }),
        ]),
    ...(before.owner_takes_part || !after.owner_takes_part ? [] : [t(language, 'The owner has sessions, too.')]),
    ...(after.owner_takes_part || !before.owner_takes_part || !after.measured
      ? []
      : [t(language, 'The owner no longer has sessions.')]),
  ].join(' ');
}

function paymentTexts({ change, amount: minor, currency, pays }: NoticeFacts['payment_sent'], about: About): Texts {
  const { language, actor } = about;
  const amount = about.formats.money(minor, currency);
  const values = { actor, amount };
  const paid =
    minor === 0
      ? t(language, 'You and {actor} settled up', { actor })
      : pays
        ? t(language, '{actor} recorded your payment of {amount}', values)
        : t(language, '{actor} recorded a payment of {amount} to you', values);
  const texts = {
    sent: t(language, '{actor} sent you {amount}: please confirm it', values),
    marked_sent: t(language, '{actor} marked {amount} as sent', values),
    paid,
    marked_paid: t(language, '{actor} marked {amount} as paid', values),
    confirmed: t(language, '{actor} confirmed your payment of {amount}', values),
    not_received: t(language, '{actor} marked your payment of {amount} as not received', values),
    undo_asked: t(language, '{actor} asks to undo a payment of {amount}', values),
    confirmation_undone: t(language, '{actor} undid confirming your payment of {amount}', values),
    undone: t(language, '{actor} undid a payment of {amount}', values),
    marked_due: t(language, '{actor} marked {amount} as due again', values),
    deposit_recorded: t(language, '{actor} recorded a deposit of {amount}: please confirm it', values),
    deposit_confirmed: t(language, '{actor} confirmed a deposit of {amount}', values),
    deposit_returned: t(
      language,
      '{actor} recorded that a deposit of {amount} was given back: please confirm it',
      values,
    ),
    deposit_return_confirmed: t(language, '{actor} confirmed that a deposit of {amount} was given back', values),
    deposit_refused: t(language, '{actor} says your entry about a deposit of {amount} is wrong', values),
  };
  return {
    text: texts[change],
    detail: about.asset,
    path:
      change === 'paid' || change === 'marked_paid' || change === 'confirmed' || change.startsWith('deposit_')
        ? '/costs'
        : balancePage(about, currency),
  };
}

/** A detail that only lacks its amount says nothing. */
const withoutHidden = ({ detail, ...texts }: Texts, { hidesAmounts }: Reader): Texts => ({
  ...texts,
  detail: hidesAmounts && detail.includes(HIDDEN) ? '' : detail,
});

/** Returns a notice as the API has it, written for a reader. */
export function toNotice(stored: StoredNotice, reader: Reader): Notice {
  const { id, kind, created_at: createdAt, read, actor, asset_name: assetName } = stored;
  const about: About = {
    language: reader.language,
    formats: formatsOf(reader),
    actor: actor ?? t(reader.language, 'Someone'),
    hasActor: actor !== null,
    asset: assetName ?? '',
    assetId: stored.asset_id,
    shareId: stored.share_id,
  };
  return {
    id,
    kind,
    created_at: createdAt.toISOString(),
    read,
    ...withoutHidden(
      // oxlint-disable-next-line no-unsafe-type-assertion -- the facts were stored with their kind
      writers[kind](JSON.parse(stored.data) as never, about),
      reader,
    ),
    actor,
    actor_hue: stored.actor_id === null ? null : hueOf(stored.actor_id),
    asset_name: assetName,
  };
}

/** Returns the subject, text, and link of an email with notices. */
export function noticesText(
  notices: Notice[],
  language: Language,
  server: string,
): Pick<MailText, 'subject' | 'paragraphs' | 'link'> {
  const [first, ...others] = notices;
  const open = (path: string) => ({ text: t(language, 'Open HourShare'), address: `${server}${path}` });
  if (first && others.length === 0)
    return { subject: first.text, paragraphs: [first.detail || first.text], link: open(first.path) };
  return {
    subject: t(language, '{count, plural, one {# notice} other {# notices}} from HourShare', { count: notices.length }),
    paragraphs: [notices.map(({ text, detail }) => (detail === '' ? text : `${text}\n${detail}`)).join('\n\n')],
    link: open('/dashboard'),
  };
}
