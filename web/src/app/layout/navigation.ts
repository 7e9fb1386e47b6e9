import { ChartColumn, Inbox, LayoutDashboard, Receipt, Settings, Users } from 'lucide-react';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';

/** The links of the side panel; `short` fits the bottom bar. */
export const sidePanelLinks = [
  { to: paths.dashboard, label: () => t('Dashboard'), short: () => t('Dashboard'), Icon: LayoutDashboard },
  { to: paths.assets, label: () => t('My Assets'), short: () => t('Assets [[page]]'), Icon: Inbox },
  { to: paths.shared, label: () => t('Shared With Me'), short: () => t('Shared [[page]]'), Icon: Users },
  { to: paths.analytics, label: () => t('Analytics'), short: () => t('Analytics'), Icon: ChartColumn },
  { to: paths.costs, label: () => t('Costs'), short: () => t('Costs'), Icon: Receipt },
  { to: paths.settings, label: () => t('Settings'), short: () => t('Settings'), Icon: Settings },
] as const;

/** The bottom bar fits five links; the user menu has the settings. */
export const bottomBarLinks = sidePanelLinks.filter(({ to }) => to !== paths.settings);
