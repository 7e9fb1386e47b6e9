import { lazy, Suspense, useEffect, useId, useRef, type ReactNode, type Ref, type RefObject } from 'react';
import { CostAnswer } from '../../features/costs/cost-answer.tsx';
import { costText } from '../../features/costs/cost-text.ts';
import { heldText, statusText } from '../../features/deposits/deposit-text.ts';
import { PaymentActions } from '../../features/settlements/payment-actions.tsx';
import { ObjectionAnswer } from '../../features/sessions/objection-answer.tsx';
import { AskStrip } from '../../features/shares/ask-strip.tsx';
import { ConfirmShare } from '../../features/shares/confirm-share.tsx';
import { HandoverStrip } from '../../features/shares/handover-strip.tsx';
import { OfferStrip } from '../../features/shares/offer-strip.tsx';
import { changeText } from '../../features/statements/change-text.ts';
import { EditAnswer } from '../../features/statements/edit-answer.tsx';
import { formatHours, formatMoney, formatNumber } from '../../platform/format/numbers.ts';
import { dayText, momentText } from '../../platform/format/time.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { classes } from '../../ui/class-names.ts';
import { keepFocusInPage } from '../../ui/focus.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { Bar } from '../../ui/skeleton.tsx';
import { useShowAll } from '../../ui/show-all.tsx';
import { Tile } from '../../ui/tile.tsx';
import type { Waiting } from './waiting.ts';

const DepositActions = lazy(async () => ({
  default: (await import('../../features/deposits/deposit-actions.tsx')).DepositActions,
}));

/** How many cards a page has at first: what it is about comes below. */
const MAX_CARDS = 2;

/** The height of a payment's card. */
const card = 'min-h-[138px] rounded-card border bg-surface p-4 shadow-lift md:p-5';

interface WaitingListProps {
  items: Waiting[];
  /** How many more are loading. Their place is kept. */
  expected?: number;
  /** Cards on a page, or rows in a panel. */
  look: 'cards' | 'rows';
  /** Opens a tab of a share. */
  onOpen: (shareId: number, tab: 'usage' | 'sessions') => void;
}

/** What waits for an answer of the user, each with a face, a sentence, and the buttons that answer. */
export function WaitingList({ items, expected = 0, look, onOpen }: WaitingListProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const { shown, itemProps, showAll } = useShowAll(items, look === 'cards' ? MAX_CARDS : Infinity);
  const Heading = look === 'cards' ? 'h2' : 'h3';
  return (
    <section ref={section} aria-labelledby={id} className={look === 'cards' ? 'mt-7' : 'border-b border-line'}>
      <Heading
        id={id}
        className={classes(
          'flex items-center gap-2.5',
          look === 'cards' ? 'title-2 mb-3.5' : 'title-3 px-4 pt-3 md:px-4.5',
        )}
      >
        {t('Waiting for you')}
        {items.length > 1 && (
          <span className="figures inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-accent px-1.5 text-small font-semibold text-accent-ink">
            {formatNumber(items.length)}
          </span>
        )}
      </Heading>
      <ul role="list" className={look === 'cards' ? 'grid gap-2.5 md:grid-cols-2 md:gap-4' : 'divide-y divide-line'}>
        {shown.map((item, index) => (
          <Item
            key={item.key}
            item={item}
            look={look}
            isFirst={index === 0}
            onOpen={onOpen}
            section={section}
            {...itemProps(index)}
          />
        ))}
        {Array.from({ length: Math.min(expected, MAX_CARDS - shown.length) }, (_, index) => (
          <li key={index} aria-hidden className={`${card} border-line`}>
            <Bar className="size-12 rounded-full!" />
          </li>
        ))}
      </ul>
      {showAll}
    </section>
  );
}

interface ItemProps extends Pick<WaitingListProps, 'look' | 'onOpen'> {
  item: Waiting;
  /** Only the first has a filled button. */
  isFirst: boolean;
  section: RefObject<HTMLElement | null>;
  ref?: Ref<HTMLLIElement>;
  tabIndex?: number;
}

function Item({ item, look, isFirst, onOpen, section, ...focus }: ItemProps) {
  const id = useId();
  const { person, hue, asset } = item;
  // An answer removes the item, and the next one takes the focus.
  useEffect(() => {
    const list = section.current;
    return () => keepFocusInPage(() => list?.querySelector<HTMLElement>('li button') ?? null);
  }, [section]);
  return (
    <li
      {...focus}
      aria-labelledby={id}
      className={classes(
        'flex min-w-0 gap-3.5',
        look === 'rows' && 'px-4 py-3.5 md:px-4.5',
        look === 'cards' && card,
        look === 'cards' && (isFirst ? 'border-accent' : 'border-line'),
      )}
    >
      <span aria-hidden className="relative h-fit shrink-0">
        <Avatar name={person} hue={hue} size="large" />
        {asset !== null && (
          <span className="absolute -end-2 -bottom-2 rounded-[9px] border-2 border-surface">
            <Tile name={asset} size="badge" />
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p id={id} className="title-3 [overflow-wrap:anywhere]">
          {titleText(item)}
        </p>
        <Answer item={item} look={isFirst ? 'primary' : 'soft'} onOpen={onOpen} />
      </div>
    </li>
  );
}

function titleText(item: Waiting): string {
  const { person: name, asset } = item;
  const values = { name, asset: asset ?? '' };
  switch (item.kind) {
    case 'offer':
      return t('{name} shares {asset}', values);
    case 'terms':
      return t('New terms for {asset}', values);
    case 'handover':
      return t('{name} hands over {asset}', values);
    case 'payment': {
      const { amount, currency } = item.settlement;
      return t('{name} sent {amount}', { name, amount: formatMoney(amount, currency) });
    }
    case 'deposit':
      return heldText([item.deposit]);
    case 'proposal':
      return t('{name} asks to count {amount} for {asset}', {
        ...values,
        amount: formatMoney(item.cost.amount, item.statement.currency),
      });
    case 'part':
      return t('{name} asks you to pay {amount} for {asset}', {
        ...values,
        amount: formatMoney(item.part.split_amount, item.statement.currency),
      });
    case 'request':
      return t('{name} asks to change a session', { name });
    case 'objection':
      return t('{name} objects to your edit', { name });
    default: {
      const hours = item.entry.monthly_hours_allocated;
      return hours === null
        ? t('{name} was added to {asset}', values)
        : t('{name} was given {hours} of {asset}', { ...values, hours: formatHours(hours) });
    }
  }
}

const Text = ({ children }: { children: ReactNode }) => (
  <p className="figures mt-0.5 text-[14px] [overflow-wrap:anywhere]">{children}</p>
);

interface AnswerProps extends Pick<ItemProps, 'item' | 'onOpen'> {
  look: ButtonLook;
}

function Answer({ item, look, onOpen }: AnswerProps) {
  switch (item.kind) {
    case 'offer':
      return (
        <OfferStrip
          share={item.share}
          offer={item.offer}
          className=""
          look={look}
          action={t('Details')}
          onDetails={() => onOpen(item.share.id, 'usage')}
        />
      );
    case 'terms':
      return <AskStrip share={item.share} className="" />;
    case 'handover':
      return <HandoverStrip share={item.share} look={look} className="" />;
    case 'payment': {
      const names = [...new Set(item.settlement.lines.map(({ asset_name: name }) => name))];
      return (
        <>
          <div className="figures mt-1 flex flex-wrap items-center gap-1.5 text-[14px]">
            {dayText(item.settlement.settled_at)}
            {names.map((name) => (
              <span key={name} title={name} className="flex min-w-0 items-center gap-1.5">
                <Tile name={name} size="badge" />
                <bdi className={names.length > 1 ? 'sr-only' : 'min-w-0 truncate'}>{name}</bdi>
              </span>
            ))}
          </div>
          <PaymentActions settlement={item.settlement} look={look} />
        </>
      );
    }
    case 'deposit':
      return (
        <>
          <Text>{statusText(item.deposit)}</Text>
          <Suspense>
            <DepositActions deposit={item.deposit} look={look} />
          </Suspense>
        </>
      );
    case 'proposal':
      return (
        <>
          <Text>{costText(item.cost, item.statement.currency)}</Text>
          <CostAnswer
            place={{ assetId: item.assetId }}
            cost={item.cost}
            can={{ count: true, decline: true }}
            look={look}
          />
        </>
      );
    case 'part':
      return (
        <>
          <Text>{costText(item.cost, item.statement.currency)}</Text>
          <Text>{t('Without your yes, {owner} covers it.', { owner: item.person })}</Text>
          <CostAnswer
            place={{ shareId: item.share.id }}
            cost={item.cost}
            can={{ yes: item.part.split_amount, no: true }}
            look={look}
          />
        </>
      );
    case 'request':
      return (
        <>
          <Text>{changeText(item.session)}</Text>
          <EditAnswer statement={item.statement} session={item.session} />
        </>
      );
    case 'objection':
      return (
        <>
          <Text>{changeText(item.session)}</Text>
          <div className="mt-3 flex flex-wrap gap-2">
            <ObjectionAnswer shareId={item.share.id} session={item.session} look={look} />
            <Button look="outline" size="small" onClick={() => onOpen(item.share.id, 'sessions')}>
              {rich('Reply<hidden> about the session from {start}</hidden>', {
                start: momentText(item.session.start_time ?? item.session.recorded_start),
                hidden,
              })}
            </Button>
          </div>
        </>
      );
    default:
      return (
        <>
          <Text>{t('By a co-manager. It changes prices once you confirm it.')}</Text>
          <div className="mt-3 flex flex-wrap gap-2">
            <ConfirmShare look={look} assetId={item.assetId} shareId={item.entry.id} name={item.person} />
          </div>
        </>
      );
  }
}
