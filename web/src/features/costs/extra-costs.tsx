import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Statement } from '@hourshare/contract/statements';
import { Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useUser } from '../../platform/auth/use-user.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { keepFocusInPage } from '../../ui/focus.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { announce } from '../../ui/toasts.ts';
import { useAddCost, useCosts, type CostPlace } from './api.ts';
import { CostForm } from './cost-form.tsx';
import { CostRow } from './cost-row.tsx';
import { LimitForm } from './limit-form.tsx';

interface ExtraCostsProps {
  place: CostPlace;
  /** The open months, which say what of a cost is the user's. */
  statements: Statement[];
  owner: string;
  currency: string;
  /** How much of them the user bears a month without being asked; null for who manages the asset. */
  limit: number | null;
  /** For its owner, who may change that. */
  asset?: OwnedAsset;
  /** Whether something can be added: not to what is archived, or after access has ended. */
  canAdd: boolean;
}

/** What an asset costs beside its price: what counts or waits in open months or repeats, and where someone adds what they paid. */
export function ExtraCosts({ place, statements, owner, currency, limit, asset, canAdd }: ExtraCostsProps) {
  const username = useUser()?.username ?? '';
  const heading = useId();
  const [adding, setAdding] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const costs = useCosts(place);
  const add = useAddCost(place);
  const isOwner = username === owner;
  const others = statements.flatMap(({ lines }) => lines.map(({ username: name }) => name));
  const measured = statements.find(({ ended }) => !ended)?.measured ?? true;
  const people = [...new Set([username, owner, ...(limit === null ? others : [])])];
  const shown =
    costs.data?.filter(
      ({ closed, repeats, author }) =>
        // What no longer repeats because its payer has left is for its author, who can stop it.
        !closed || (repeats !== null && (repeats.next !== null || author === username)),
    ) ?? [];
  const partOf = (id: number) =>
    statements.flatMap(({ lines }) =>
      lines
        .filter(({ username: name, role }) => role === 'member' && name === username)
        .flatMap((line) => line.costs.filter((part) => part.id === id)),
    )[0];
  return (
    <section aria-labelledby={heading} className="mt-8 border-t border-line pt-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id={heading} className="font-semibold">
          {t('Extra costs')}
        </h3>
        {canAdd && !adding && (
          <Button
            ref={opener}
            look="outline"
            size="small"
            icon={<Plus aria-hidden size={16} />}
            onClick={() => setAdding(true)}
          >
            {t('Add a cost')}
          </Button>
        )}
      </div>
      {limit !== null && (
        <p className="figures mt-1 text-[14px] text-muted">
          {limit === 0
            ? t("You're asked before you pay any of it.")
            : t('You pay up to {amount} a month without being asked.', { amount: formatMoney(limit, currency) })}
        </p>
      )}
      {asset?.your_role === 'owner' && <LimitForm asset={asset} />}
      {adding && (
        <CostForm
          label={t('Add a cost')}
          currency={currency}
          username={username}
          people={people}
          measured={measured}
          save={async (request) => {
            await add.mutateAsync(request);
            announce(isOwner ? t('Added.') : t('Added. {owner} can count it now.', { owner }));
          }}
          onDone={() => {
            setAdding(false);
            keepFocusInPage(() => opener.current);
          }}
        />
      )}
      {costs.isError && (
        <Banner className="mt-2" onRetry={() => void costs.refetch()}>
          {t("Couldn't load costs. Please try again later.")}
        </Banner>
      )}
      {costs.isPending && <Spinner label={t('Loading costs')} className="w-full justify-center py-4" />}
      {costs.data && shown.length === 0 && (
        <p className="mt-1.5 text-muted">{t('Fuel, repairs, or anything else that someone paid.')}</p>
      )}
      <ul role="list" className="mt-1">
        {shown.map((cost) => (
          <CostRow
            key={cost.id}
            place={place}
            cost={cost}
            part={partOf(cost.id)}
            owner={owner}
            username={username}
            people={people}
            measured={measured}
          />
        ))}
      </ul>
    </section>
  );
}
