import { ChartColumn, Inbox, LayoutDashboard, Receipt, Settings, Users } from 'lucide-react';
import { paths } from '../../lib/paths.ts';

/** The links of the side panel; `short` fits the bottom bar. */
export const sidePanelLinks = [
  { to: paths.dashboard, label: 'Dashboard', short: 'Dashboard', Icon: LayoutDashboard },
  { to: paths.assets, label: 'My Assets', short: 'Assets', Icon: Inbox },
  { to: paths.shared, label: 'Shared With Me', short: 'Shared', Icon: Users },
  { to: paths.analytics, label: 'Analytics', short: 'Analytics', Icon: ChartColumn },
  { to: paths.costs, label: 'Costs', short: 'Costs', Icon: Receipt },
  { to: paths.settings, label: 'Settings', short: 'Settings', Icon: Settings },
] as const;

/** The bottom bar fits five links; the user menu has the settings. */
export const bottomBarLinks = sidePanelLinks.filter(({ to }) => to !== paths.settings);
