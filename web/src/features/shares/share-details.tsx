import type { SharedAsset } from '@hourshare/contract/shares';
import { t } from '../../platform/i18n/messages.ts';
import { DefinitionList, LongDefinition } from '../../ui/definition-list.tsx';

export const ShareDetails = ({ share }: { share: SharedAsset }) => (
  <DefinitionList>
    <LongDefinition name={t('Name')}>{share.asset.name}</LongDefinition>
    <LongDefinition name={t('Description')}>{share.asset.description || '–'}</LongDefinition>
    <LongDefinition name={t('Owner')}>{share.asset.owner}</LongDefinition>
  </DefinitionList>
);
