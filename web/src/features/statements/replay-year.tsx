import type { OwnedAsset } from '@hourshare/contract/assets';
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
import { TextField } from '../../ui/field.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { amountChange, changeText, plainHours } from './rules.ts';

type Kind = 'price' | 'price_per_hour' | 'price_alone';

/** Reads nothing that could change it: what is replayed is closed. */
const useReplay = (assetId: number, plan: ReplayRequest | null) =>
  useQuery({
    ...queryOptions({
      queryKey: ['POST /api/assets/{id}/replay/', assetId, plan] as const,
      queryFn: ({ signal }) =>
        call('POST /api/assets/{id}/replay/', { params: { id: assetId }, body: plan ?? {}, signal }),
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

/** Returns what is typed as a request; null while it isn't one. */
function readReplay(kind: Kind, typedPrice: string, hours: number | undefined, currency: string): ReplayRequest | null {
  const price = costProblem(typedPrice, currency) === undefined ? readMoney(typedPrice, currency) : undefined;
  if (Number.isNaN(hours) || (price === undefined && hours === undefined)) return null;
  return { ...(price !== undefined && { [kind]: price }), ...(hours !== undefined && { hours }) };
}

/** What the last twelve closed months would have cost everyone under another plan. */
export function ReplayYear({ asset }: { asset: OwnedAsset }) {
  const [kind, setKind] = useState<Kind>('price');
  const [price, setPrice] = useState('');
  const [hours, setHours] = useState('');
  const hasHours = kind === 'price' && asset.measured;
  const planHours = hasHours ? readHours(hours) : undefined;
  const plan = useSettled(JSON.stringify(readReplay(kind, price, planHours, asset.currency)));
  // oxlint-disable-next-line no-unsafe-type-assertion -- written a line above
  const replay = useReplay(asset.id, JSON.parse(plan) as ReplayRequest | null);
  // Nothing is read for what isn't a plan, and what was read for another would seem to be for it.
  const data = plan === 'null' ? undefined : replay.data;
  const unfit = data?.months.reduce((sum, { unfit_hours: each }) => sum + each, 0) ?? 0;
  return (
    <div className="grid gap-3.5">
      <div className="grid items-start gap-3.5 sm:grid-cols-3">
        <Select
          label={t('Compare with')}
          value={kind}
          options={[
            { value: 'price', text: t('Another plan') },
            { value: 'price_per_hour', text: t('Pay per hour') },
            { value: 'price_alone', text: t('Each on their own') },
          ]}
          // oxlint-disable-next-line no-unsafe-type-assertion -- one of the options
          onChange={(value) => setKind(value as Kind)}
        />
        <TextField
          label={kind === 'price_per_hour' ? t('Price of an hour') : t('Price of a month')}
          inputMode="decimal"
          autoComplete="off"
          error={costProblem(price, asset.currency)}
          value={price}
          onChange={({ target }) => setPrice(target.value)}
        />
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
        <div>
          <FiguresTable
            titles={[
              t('Last {count, plural, one {month} other {# months}}', { count: data.months.length }),
              t('Paid'),
              t('New [[amount]]'),
              t('Change [[noun]]'),
            ]}
          >
            {data.people.map(({ username, paid, replayed }) => (
              <FiguresRow key={username} name={<bdi>{username}</bdi>}>
                <Figure className="text-muted">{formatMoney(paid, data.currency)}</Figure>
                <Figure className="font-semibold">{formatMoney(replayed, data.currency)}</Figure>
                <Figure>{changeText(amountChange(paid, replayed, data.currency), data.currency)}</Figure>
              </FiguresRow>
            ))}
          </FiguresTable>
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
