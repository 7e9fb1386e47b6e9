import type { OwnedAsset } from '@hourshare/contract/assets';
import { useState } from 'react';
import { monthText } from '../../platform/format/months.ts';
import { decimalText, formatMoney } from '../../platform/format/numbers.ts';
import { readMoney } from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { errorText, fieldText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useChangeLimit } from './api.ts';

/** How much of extra costs members bear without being asked, which the owner may change. */
export function LimitForm({ asset }: { asset: OwnedAsset }) {
  const { extra_cost_limit: now, currency, next_terms: next } = asset;
  const [typed, setTyped] = useState<string | null>(null);
  const change = useChangeLimit(asset.id);
  useUnsaved(typed !== null, { isSaving: change.isPending });
  const later = next !== null && next.extra_cost_limit !== now ? next : null;
  const failure = change.error;
  return (
    <div className="figures mt-1 text-[14px] text-muted">
      <p>
        {t('Each member bears up to {amount} a month without being asked.', { amount: formatMoney(now, currency) })}{' '}
        {later &&
          t('Starting {month}: {amount}.', {
            month: monthText(later.from_month),
            amount: formatMoney(later.extra_cost_limit, currency),
          })}
        {typed === null && (
          <Button
            look="quiet"
            size="small"
            onClick={() => setTyped(decimalText(later?.extra_cost_limit ?? now, currency))}
          >
            {t('Change the limit')}
          </Button>
        )}
      </p>
      {typed !== null && (
        <form
          noValidate
          className="mt-2 flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(readMoney(typed, currency) ?? 0, { onSuccess: () => setTyped(null) });
          }}
        >
          <TextField
            label={t('Extra costs without asking, a month')}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            error={
              failure
                ? (fieldText(failure, 'extra_cost_limit') ?? (failure instanceof ApiError ? errorText(failure) : '')) ||
                  t("Couldn't save this cost. Please try again.")
                : undefined
            }
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" size="small" busy={change.isPending} busyText={t('Saving...')}>
            {t('Save')}
          </Button>
          <Button look="outline" size="small" onClick={() => setTyped(null)}>
            {t('Cancel')}
          </Button>
        </form>
      )}
    </div>
  );
}
