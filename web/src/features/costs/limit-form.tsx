import type { OwnedAsset } from '@hourshare/contract/assets';
import { ExtraCostLimit } from '@hourshare/contract/fields';
import { useRef, useState } from 'react';
import { monthText } from '../../platform/format/months.ts';
import { decimalText, formatMoney } from '../../platform/format/numbers.ts';
import { readMoney } from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { errorText, fieldText, issueText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { keepFocusInPage } from '../../ui/focus.ts';
import { useChangeLimit } from './api.ts';

/** How much of extra costs members bear without being asked, which the owner may change. */
export function LimitForm({ asset }: { asset: OwnedAsset }) {
  const { extra_cost_limit: now, currency, next_terms: next } = asset;
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const opener = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const change = useChangeLimit(asset.id);
  useUnsaved(typed !== null, { isSaving: change.isPending });
  const later = next !== null && next.extra_cost_limit !== now ? next : null;
  const failure =
    change.error &&
    (fieldText(change.error, 'extra_cost_limit') ??
      (errorText(change.error) || t("Couldn't save this limit. Please try again.")));
  const type = (text: string | null) => {
    setTyped(text);
    setProblem(undefined);
    // A save that is on its way goes on.
    if (change.isError) change.reset();
  };
  const close = () => {
    type(null);
    keepFocusInPage(() => opener.current);
  };
  const save = (text: string) => {
    const limit = ExtraCostLimit.safeParse(readMoney(text, currency));
    if (limit.success) return change.mutate(limit.data, { onSuccess: close, onError: () => field.current?.focus() });
    setProblem(issueText(limit.error.issues[0]?.message ?? ''));
    field.current?.focus();
  };
  return (
    <div className="figures mt-1 text-[14px] text-muted">
      <p className="flex flex-wrap items-center gap-x-2">
        {now === 0
          ? t('Members are asked before they pay any of it.')
          : t('Each member pays up to {amount} a month without being asked.', {
              amount: formatMoney(now, currency),
            })}{' '}
        {later &&
          t('Starting {month}: {amount}.', {
            month: monthText(later.from_month),
            amount: formatMoney(later.extra_cost_limit, currency),
          })}
        {typed === null && (
          <Button
            ref={opener}
            look="quiet"
            size="small"
            className="-ms-3"
            onClick={() => type(decimalText(later?.extra_cost_limit ?? now, currency))}
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
            save(typed);
          }}
        >
          <TextField
            label={t('Extra costs without asking, a month')}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            error={problem ?? failure ?? undefined}
            ref={field}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opened the form is gone
            autoFocus
            onChange={({ target }) => type(target.value)}
          />
          <Button type="submit" size="small" busy={change.isPending} busyText={t('Saving...')}>
            {t('Save')}
          </Button>
          <Button look="outline" size="small" onClick={close}>
            {t('Cancel')}
          </Button>
        </form>
      )}
    </div>
  );
}
