import type { Bill, OwnedAsset } from '@hourshare/contract/assets';
import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import type { Statement } from '@hourshare/contract/statements';
import { useState, type ReactNode } from 'react';
import { announce } from '../../ui/toasts.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText, thisMonth } from '../../platform/format/months.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { dayText } from '../../platform/format/time.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { useAssetStatements } from '../statements/api.ts';
import { useDeleteAsset, useUpdateAsset } from './api.ts';
import { DeletionSummary } from './deletion-summary.tsx';
import { acceptedEntries } from './rules.ts';

interface QuestionProps {
  asset: OwnedAsset;
  onDone: () => void;
  onCancel: () => void;
}

const nameSpan = (text: ReactNode) => <span dir="auto">{text}</span>;

/** Asks before archiving an asset, and what to bill for this month. */
export function ArchiveQuestion({ asset, onDone, onCancel }: QuestionProps) {
  const { bill, running, form } = useBill(asset);
  const update = useUpdateAsset(asset.id);
  const archive = () =>
    update.mutate(
      { archived: true, ...(bill && { bill }) },
      {
        onSuccess: () => {
          announce(t('{asset} has been archived.', { asset: asset.name }));
          onDone();
        },
      },
    );
  return (
    <ConfirmDialog
      title={rich('Archive <name>{asset}</name>?', { asset: asset.name, name: nameSpan })}
      confirm={t('Archive [[verb]]')}
      look="primary"
      busyText={t('Archiving...')}
      busy={update.isPending}
      failure={update.isError ? t('Failed to update asset.') : null}
      form={form}
      onConfirm={archive}
      onCancel={onCancel}
    >
      <p>{t('Ends active sessions and hides the asset from members. You can restore it anytime.')}</p>
      {bill && running && <p>{editableText(running.closes_at)}</p>}
    </ConfirmDialog>
  );
}

/** Asks what to bill for this month, if that is to choose, and then before deleting an asset, and says what goes with it. */
export function DeleteQuestion({ asset, onDone, onCancel }: QuestionProps) {
  const { bill, statements, form } = useBill(asset);
  const [isBillChosen, setBillChosen] = useState(false);
  const asksBill = bill !== undefined && !isBillChosen;
  const remove = useDeleteAsset(asset.id, () => {
    announce(t('{asset} has been deleted.', { asset: asset.name }));
    onDone();
  });
  // The deletion ends this month.
  const ends = [
    ...statements
      .filter(({ ended, closed }) => ended && !closed)
      .map(({ closes_at: closesAt }) => Date.parse(closesAt)),
    ...(bill ? [serverNow() + CORRECTION_HOURS * 3_600_000] : []),
  ];
  const editable = ends.length > 0 && <p>{editableText(new Date(Math.max(...ends)).toISOString())}</p>;
  return (
    <ConfirmDialog
      title={rich('Delete <name>{asset}</name>?', { asset: asset.name, name: nameSpan })}
      confirm={asksBill ? t('Continue') : t('Delete asset')}
      look={asksBill ? 'primary' : 'danger'}
      busyText={t('Deleting...')}
      busy={remove.isPending}
      failure={remove.isError ? t('Failed to delete asset. Please try again.') : null}
      form={asksBill && form}
      step={Number(isBillChosen)}
      onConfirm={() => (asksBill ? setBillChosen(true) : remove.mutate(bill))}
      onCancel={onCancel}
    >
      {asksBill ? editable : <DeletionSummary asset={asset} editable={bill === undefined && editable} />}
    </ConfirmDialog>
  );
}

const editableText = (until: string) => t('Members can edit their sessions until {day}.', { day: dayText(until) });

interface BillQuestion {
  /** Undefined if there is nothing to choose: no one else had access this month, or it isn't billed. */
  bill: Bill | undefined;
  running: Statement | undefined;
  statements: Statement[];
  form: ReactNode;
}

/** Asks whether the running month of an asset is billed. */
function useBill(asset: OwnedAsset): BillQuestion {
  const [chosen, setChosen] = useState<Bill>('until_today');
  const { data } = useAssetStatements(asset.id);
  const running = data?.find(({ ended }) => !ended);
  // Only the owner can choose not to bill the month, because they then cover it. It stays so.
  const isAsked =
    asset.your_role === 'owner' &&
    !asset.unbilled &&
    (data ? (running?.lines.length ?? 0) > 1 : acceptedEntries(asset).length > 0);
  const month = monthText(running?.month ?? thisMonth());
  const price = formatMoney((asset.cycle && running?.price) ?? asset.price_per_month, asset.currency);
  const form = isAsked && (
    <RadioCards
      legend={t('This month')}
      value={chosen}
      options={[
        {
          value: 'until_today',
          text: t('Bill {month} up to today', { month }),
          hint: t('Members pay their part of {price} for their days and use so far.', { price }),
        },
        { value: 'nothing', text: t("Don't bill {month}", { month }), hint: t('You cover all of {price}.', { price }) },
      ]}
      onChange={setChosen}
    />
  );
  return { bill: isAsked ? chosen : undefined, running, statements: data ?? [], form };
}
