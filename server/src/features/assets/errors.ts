import { fail, type Failure } from '../../platform/result.ts';

/** Also the answer for other users' assets, so that it doesn't reveal whether they exist. */
export const assetNotFound = (): Failure => fail('not_found', { message: 'Asset not found.' });

export const assetArchived = (): Failure => fail('asset_archived');
