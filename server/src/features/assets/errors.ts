import { fail, type Failure } from '../../platform/result.ts';

/** Also what a stranger gets for somebody else's asset: whether it exists is none of their business. */
export const assetNotFound = (): Failure => fail('not_found', { message: 'Asset not found.' });

export const assetArchived = (): Failure => fail('asset_archived');
