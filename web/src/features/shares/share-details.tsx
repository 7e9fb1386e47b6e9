import type { SharedAsset } from '@hourshare/contract/shares';
import { Definition, DefinitionList } from '../../ui/definition-list.tsx';

export const ShareDetails = ({ share }: { share: SharedAsset }) => (
  <DefinitionList>
    <Definition name="Name">{share.asset.name}</Definition>
    <Definition name="Description">{share.asset.description || '–'}</Definition>
    <Definition name="Owner">{share.asset.owner}</Definition>
  </DefinitionList>
);
