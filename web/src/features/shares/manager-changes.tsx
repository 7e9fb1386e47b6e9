import type { ManagerChange, OwnedAsset } from '@hourshare/contract/assets';
import { t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { useManagerChanges } from './changes-api.ts';

/** Lists co-managers' changes to an asset, for its owner and them. Empty for most assets, which never had a co-manager. */
export function ManagerChanges({ asset }: { asset: OwnedAsset }) {
  const changes = useManagerChanges(asset.id);
  if (changes.isError)
    return (
      <Banner className="mt-7" onRetry={() => void changes.refetch()}>
        {t("Couldn't load what co-managers changed.")}
      </Banner>
    );
  if (!changes.data || changes.data.length === 0) return null;
  return (
    <section aria-labelledby="manager-changes" className="mt-7">
      <h3 id="manager-changes" className="font-semibold">
        {t('Changed by co-managers')}
      </h3>
      <ul role="list" className="mt-2 divide-y divide-line border-y border-line">
        {changes.data.map((change) => (
          <li key={change.id} className="flex flex-wrap justify-between gap-x-4 py-2 text-[14px]">
            <span className="min-w-0 [overflow-wrap:anywhere]">{changeText(change)}</span>
            <time dateTime={change.at} className="figures text-[13px] text-muted">
              {momentText(change.at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Values {
  name: string;
  member: string;
}

const texts: Record<ManagerChange['kind'], (values: Values) => string> = {
  details: ({ name }) => t('{name} changed the details', { name }),
  price: ({ name }) => t('{name} changed the price', { name }),
  terms: ({ name }) => t('{name} changed the terms', { name }),
  archived: ({ name }) => t('{name} archived the asset', { name }),
  restored: ({ name }) => t('{name} restored the asset', { name }),
  shared: (values) => t('{name} shared it with {member}', { ...values }),
  hours: (values) => t("{name} changed {member}'s hours", { ...values }),
  removed: (values) => t("{name} ended {member}'s access", { ...values }),
  invited: ({ name }) => t('{name} created an invitation link', { name }),
  revoked: ({ name }) => t('{name} revoked an invitation link', { name }),
  objected: (values) => t("{name} objected to {member}'s edit", { ...values }),
  withdrawn: (values) => t("{name} withdrew the objection to {member}'s edit", { ...values }),
  replied: (values) => t("{name} replied about {member}'s edit", { ...values }),
};

const changeText = ({ kind, username, member }: ManagerChange): string =>
  texts[kind]({ name: username ?? t('Deleted user'), member: member ?? t('User') });
