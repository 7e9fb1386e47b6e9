import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SplitMethod } from '@hourshare/contract/fields';
import type { ReplayRequest } from '@hourshare/contract/statements';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { costProblem, readMoney, readNumber } from '../../platform/forms/request-form.ts';
import { call } from '../../platform/http/call.ts';
import { sentenceText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useSettled } from '../../platform/use-settled.ts';
import { Banner } from '../../ui/banner.tsx';
import { classes } from '../../ui/class-names.ts';
import { TextField } from '../../ui/field.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { methodNames } from '../periods/terms-text.ts';
import { PersonName } from './person-name.tsx';
import { amountChange, changeText, plainHours } from './rules.ts';

type Kind = 'price' | 'without' | 'split_method' | 'price_per_hour' | 'price_alone';

/** Of an own asset, where everyone's amounts are shown, or of a share of someone else's. */
type Place = { assetId: number } | { shareId: number };

const METHODS = ['usage', 'allocation', 'equal', 'share_of_use'] as const;

/** Reads nothing that could change it: what is replayed is closed. */
const useReplay = (place: Place, plan: ReplayRequest | null) =>
  useQuery({
    ...queryOptions({
      queryKey: ['POST /api/assets/{id}/replay/', place, plan] as const,
      queryFn: ({ signal }) =>
        'assetId' in place
          ? call('POST /api/assets/{id}/replay/', { params: { id: place.assetId }, body: plan ?? {}, signal })
          : call('POST /api/shared-assets/{id}/replay/', { params: { id: place.shareId }, body: plan ?? {}, signal }),
      meta: { staleAfter: ['periods'] },
    }),
    enabled: plan !== null,
    placeholderData: keepPreviousData,
  });

const HOURS_MAX = 100_000;

/** Returns the hours that are typed; undefined without any, NaN if they can't be those of a plan. */
function readHours(typed: string): number | undefined {
  if (typed.trim() === '') return undefined;
  const hours = readNumber(typed);
  return Number.isInteger(hours) && hours > 0 && hours <= HOURS_MAX ? hours : NaN;
}

interface Typed {
  kind: Kind;
  price: string;
  hours: number | undefined;
  person: string;
  method: SplitMethod;
}

/** Returns what is typed as a request; null while it isn't one. */
function readReplay({ kind, price: typed, hours, person, method }: Typed, currency: string): ReplayRequest | null {
  if (kind === 'split_method') return { split_method: method };
  if (costProblem(typed, currency) !== undefined || Number.isNaN(hours)) return null;
  const price = readMoney(typed, currency);
  if (kind === 'without') return { without: person, ...(price !== undefined && { price }) };
  if (price === undefined && hours === undefined) return null;
  return { ...(price !== undefined && { [kind]: price }), ...(hours !== undefined && { hours }) };
}

const membersOf = (asset: OwnedAsset): string[] =>
  asset.shared_with.flatMap(({ pending, shared_with_username: name }) => (pending || name === null ? [] : [name]));

const OPTIONS: Record<Kind, () => string> = {
  price: () => t('Another plan'),
  without: () => t('One seat fewer'),
  split_method: () => t('Another method'),
  price_per_hour: () => t('Pay per hour'),
  price_alone: () => t('Each on their own'),
};

interface ReplayYearProps {
  /** What its owner, or a co-manager, manages; or the share through which a member sees what is theirs. */
  of: OwnedAsset | { shareId: number; currency: string; measured: boolean };
}

/** What the last twelve closed months would have cost everyone, or a member, under another plan. */
export function ReplayYear({ of }: ReplayYearProps) {
  const { currency, measured } = of;
  const members = 'id' in of ? membersOf(of) : [];
  const [kind, setKind] = useState<Kind>('price');
  const [price, setPrice] = useState('');
  const [hours, setHours] = useState('');
  const [chosen, setPerson] = useState('');
  const [method, setMethod] = useState<SplitMethod>('usage');
  const person = members.includes(chosen) ? chosen : (members[0] ?? '');
  const hasHours = kind === 'price' && measured;
  const planHours = hasHours ? readHours(hours) : undefined;
  const plan = useSettled(JSON.stringify(readReplay({ kind, price, hours: planHours, person, method }, currency)));
  const place = 'id' in of ? { assetId: of.id } : { shareId: of.shareId };
  // oxlint-disable-next-line no-unsafe-type-assertion -- written above
  const replay = useReplay(place, JSON.parse(plan) as ReplayRequest | null);
  const kinds: Kind[] = [
    'price',
    ...(members.length > 0 ? (['without'] as const) : []),
    ...(measured ? (['split_method', 'price_per_hour'] as const) : []),
    'price_alone',
  ];
  // Nothing is read for what isn't a plan, and what was read for another would seem to be for it.
  const data = plan === 'null' ? undefined : replay.data;
  const unfit = data?.months.reduce((sum, { unfit_hours: each }) => sum + each, 0) ?? 0;
  return (
    <div className="grid gap-3.5">
      <div className="grid items-start gap-3.5 sm:grid-cols-3">
        <Select
          label={t('Compare with')}
          value={kind}
          options={kinds.map((each) => ({ value: each, text: OPTIONS[each]() }))}
          // oxlint-disable-next-line no-unsafe-type-assertion -- one of the options
          onChange={(value) => setKind(value as Kind)}
        />
        {kind === 'without' && (
          <Select
            label={t('Without')}
            value={person}
            options={members.map((name) => ({ value: name, text: name }))}
            onChange={setPerson}
          />
        )}
        {kind === 'split_method' ? (
          <Select
            label={t('Method [[cost split]]')}
            value={method}
            options={METHODS.map((each) => ({ value: each, text: methodNames[each]() }))}
            // oxlint-disable-next-line no-unsafe-type-assertion -- one of the options
            onChange={(value) => setMethod(value as SplitMethod)}
          />
        ) : (
          <TextField
            label={priceLabel(kind)}
            inputMode="decimal"
            autoComplete="off"
            error={costProblem(price, currency)}
            value={price}
            onChange={({ target }) => setPrice(target.value)}
          />
        )}
        {hasHours && (
          <TextField
            label={t('Hours included')}
            inputMode="numeric"
            autoComplete="off"
            error={
              Number.isNaN(planHours)
                ? sentenceText({ code: 'whole_number_rule', params: { min: 1, max: HOURS_MAX } })
                : undefined
            }
            value={hours}
            onChange={({ target }) => setHours(target.value)}
          />
        )}
      </div>
      {replay.isError && (
        <Banner onRetry={() => void replay.refetch()}>{t("Couldn't calculate the new amounts")}</Banner>
      )}
      {replay.isFetching && <Spinner label={t('Calculating the new amounts')} className="w-full justify-center py-6" />}
      {data && data.months.length === 0 && <p className="text-muted">{t('No month has closed yet.')}</p>}
      {data && data.months.length > 0 && (
        <div className="max-[359px]:[&_tr>:nth-child(2)]:hidden">
          <FiguresTable
            titles={[
              t('Last {count, plural, one {month} other {# months}}', { count: data.months.length }),
              t('Paid'),
              t('New [[amount]]'),
              t('Change [[noun]]'),
            ]}
          >
            {data.people.map(({ username, hue, ...amounts }) => (
              <FiguresRow key={username} name={<PersonName name={username} hue={hue} />}>
                <Amounts {...amounts} currency={data.currency} />
              </FiguresRow>
            ))}
            {data.total && (
              <FiguresRow name={<b>{t('Total')}</b>}>
                <Amounts {...data.total} currency={data.currency} isTotal />
              </FiguresRow>
            )}
          </FiguresTable>
          {data.total && (
            <p role="status" className="sr-only">
              {t('Total')}{' '}
              {changeText(amountChange(data.total.paid, data.total.replayed, data.currency), data.currency)}
            </p>
          )}
          {unfit > 0 && (
            <p className="mt-2 text-small text-muted">
              {t("{hours} wouldn't have fit.", { hours: plainHours(unfit * 3600) })}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

const priceLabel = (kind: Kind): string => {
  if (kind === 'price_per_hour') return t('Price of an hour');
  return kind === 'without' ? t('Price of a month (optional)') : t('Price of a month');
};

interface AmountsProps {
  paid: number;
  replayed: number;
  currency: string;
  isTotal?: boolean;
}

/** What was paid, what would have been, and the difference, in green if it is less. */
function Amounts({ paid, replayed, currency, isTotal = false }: AmountsProps) {
  const change = amountChange(paid, replayed, currency);
  return (
    <>
      <Figure className={isTotal ? '' : 'text-muted'}>{formatMoney(paid, currency)}</Figure>
      <Figure className="font-semibold">{formatMoney(replayed, currency)}</Figure>
      <Figure className={classes(change < 0 && 'text-accent-text', isTotal && 'font-semibold')}>
        {changeText(change, currency)}
      </Figure>
    </>
  );
}
