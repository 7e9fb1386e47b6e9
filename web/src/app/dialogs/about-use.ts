import type { TabName } from '../../platform/paths.ts';

/** Whether a tab is about use, of which an asset that isn't measured has none. Sessions from when it was stay. */
export const isAboutUse = (tab: TabName, hasSessions: boolean): boolean =>
  tab === 'analytics' || tab === 'usage' || (tab === 'sessions' && !hasSessions);
