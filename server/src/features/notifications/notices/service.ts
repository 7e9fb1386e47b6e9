import type { Deps } from '../../../deps.ts';
import type { DispatchedEvent } from '../dispatch/rules.ts';

/** Adds the notices that events cause, in the dispatcher's transaction. */
export async function createNotices(_deps: Deps, _events: DispatchedEvent[]): Promise<void> {
  // Another branch brings the notices.
}
