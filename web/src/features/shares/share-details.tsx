import type { SharedAsset } from '@hourshare/contract/shares';
import { DefinitionList, LongDefinition } from '../../ui/definition-list.tsx';

export const ShareDetails = ({ share }: { share: SharedAsset }) => (
  <DefinitionList>
    <LongDefinition name="Name">{share.asset.name}</LongDefinition>
    <LongDefinition name="Description">{share.asset.description || '–'}</LongDefinition>
    <LongDefinition name="Owner">{share.asset.owner}</LongDefinition>
  </DefinitionList>
);
