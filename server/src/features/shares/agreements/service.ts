import type { Terms } from '@hourshare/contract/fields';
import type { Deps } from '../../../deps.ts';
import { fromWireTerms, isDearer, type AgreedTerms } from '../../assets/terms/service.ts';
import * as store from './store.ts';

/** Records that the member of an accepted share says yes to what it costs them now. A server that asks for no consent keeps none. */
export async function recordYes(deps: Deps, shareId: number): Promise<void> {
  if (deps.config.SHARE_CONSENT === 'ask') await store.insertAgreement(deps.db, { shareId, now: deps.clock() });
}

/** Records what an offer shows that was just made, so that a start can accept that or better. */
export const recordOffer = (deps: Deps, shareId: number): Promise<void> =>
  store.insertAgreement(deps.db, { shareId, made: true, now: deps.clock() });

/** Returns whether terms are what someone has seen, or better. */
export const isAsShown = (terms: AgreedTerms, currency: string, seen: Terms): boolean =>
  seen.currency === currency && !isDearer(terms, fromWireTerms(seen));
