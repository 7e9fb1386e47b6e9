import type { Balance } from '@hourshare/contract/settlements';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { useNavigate } from '@tanstack/react-router';
import {
  CalendarClock,
  FileText,
  Keyboard,
  Monitor,
  Moon,
  Plus,
  ShieldCheck,
  Sun,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useAssets } from '../../features/assets/api.ts';
import { activeAssets } from '../../features/assets/rules.ts';
import { useBalances } from '../../features/settlements/api.ts';
import { statusNames, unsentLines, unsentTotals } from '../../features/settlements/rules.ts';
import { runningShares, useOwnShares, useSharedAssets } from '../../features/shares/api.ts';
import { countedText, isOffer, usedHours } from '../../features/shares/rules.ts';
import { useMonthStatements } from '../../features/statements/api.ts';
import { findOwnLine, isOwner, paidText } from '../../features/statements/rules.ts';
import { announce } from '../../ui/toasts.ts';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthAfter, monthText, thisMonth } from '../../platform/format/months.ts';
import { addAssetDialog, assetDialog, paths, shareDialog, statementPage } from '../../platform/paths.ts';
import { chooseTheme, type ThemeChoice } from '../../ui/theme.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Tile } from '../../ui/tile.tsx';
import { sidePanelLinks } from '../layout/navigation.ts';
import { openView } from './open-view.ts';
import type { Searchable } from './ranking.ts';

export interface Command extends Searchable {
  id: string;
  face: ReactNode;
  /** Whether the detail is a warning. */
  over?: boolean;
  /** Starts or ends a share's session, settles a balance, or does something else. */
  action: { share: SharedAsset } | { balance: Balance } | { run: () => void };
}

const icon = (Icon: LucideIcon) => (
  <span aria-hidden className="inline-flex size-8 shrink-0 items-center justify-center rounded-control bg-sunken">
    <Icon size={17} />
  </span>
);

/** Closing the dialog returns to the page that it was opened from. */
const overPage = { state: { opened: true } } as const;

const asset = (name: string) => <Tile name={name} size="small" />;

function sessionCommand(share: SharedAsset): Command {
  const { asset_name: name, active_session: running } = share;
  const left = share.monthly_hours_allocated - usedHours(share);
  return {
    id: `session-${share.id}`,
    group: t('Actions'),
    text: running ? t('End Session on {asset}', { asset: name }) : t('Start Session on {asset}', { asset: name }),
    detail: running
      ? t('Running [[session]]')
      : isOffer(share)
        ? t('Accepts the offer')
        : left < 0
          ? t('{hours} over', { hours: formatHours(-left) })
          : t('{hours} left', { hours: formatHours(left) }),
    over: !running && left < 0,
    face: asset(name),
    action: { share },
  };
}

/** Says which way an open balance goes. */
function balanceDetail({ username: name, currency, lines }: Balance): string {
  const { net } = unsentTotals(lines, currency);
  const amount = formatMoney(Math.abs(net), currency);
  return net > 0
    ? t('{name} owes you {amount}', { name, amount })
    : net < 0
      ? t('You owe {name} {amount}', { name, amount })
      : t('Cancels out [[balance]]');
}

function statementStatus(statement: Statement, username: string): string {
  if (!statement.closed) return t('Not closed yet');
  if (isOwner(statement, username)) return paidText(statement.lines);
  const line = findOwnLine(statement, username);
  if (!line) return '';
  const amount = formatMoney(line.amount, statement.currency);
  return line.status === null ? amount : `${amount} · ${statusNames[line.status]()}`;
}

const themes: { choice: ThemeChoice; Icon: LucideIcon; text: () => string; done: () => string }[] = [
  { choice: 'light', Icon: Sun, text: () => t('Light theme'), done: () => t('Switched to the light theme.') },
  { choice: 'dark', Icon: Moon, text: () => t('Dark theme'), done: () => t('Switched to the dark theme.') },
  { choice: 'system', Icon: Monitor, text: () => t('System theme'), done: () => t('Switched to the system theme.') },
];

/** Returns everything that the palette can do, in the order in which equal matches are shown. */
export function useCommands(): Command[] {
  const navigate = useNavigate();
  const user = useUser();
  const username = user?.username ?? '';
  const assets = activeAssets(useAssets().data ?? []);
  const { data: shares = [] } = useSharedAssets();
  const { data: balances = [] } = useBalances();
  const { data: past = [] } = useMonthStatements(monthAfter(thisMonth(), -1));
  const { data: current = [] } = useMonthStatements();
  const startable = [...shares, ...useOwnShares()].filter((share) => share.measured && countedText(share) === null);
  const running = runningShares(startable);

  return [
    ...[...running, ...startable.filter((share) => !running.includes(share))].map(sessionCommand),
    ...balances
      .filter(({ lines }) => unsentLines(lines).length > 0)
      .map((balance) => ({
        id: `settle-${balance.username}-${balance.currency}`,
        group: t('People'),
        text: t('Settle up with {name}', { name: balance.username }),
        detail: balanceDetail(balance),
        face: <Avatar name={balance.username} hue={balance.hue} />,
        action: { balance },
      })),
    ...[
      ...sidePanelLinks,
      { to: paths.renewals, label: () => t('Renewals'), Icon: CalendarClock },
      { to: paths.profile, label: () => t('Your Profile'), Icon: UserRound },
      ...(user?.administrator === true
        ? [{ to: paths.administration, label: () => t('Administration'), Icon: ShieldCheck }]
        : []),
    ].map(({ to, label, Icon }) => ({
      id: to,
      group: t('Go to'),
      text: label(),
      detail: to === paths.analytics ? t('Usage Statistics') : undefined,
      face: icon(Icon),
      action: { run: () => void navigate({ to }) },
    })),
    {
      id: 'keys',
      group: t('Go to'),
      text: t('Keyboard shortcuts'),
      face: icon(Keyboard),
      action: { run: () => openView('keys') },
    },
    ...[...past, ...current].flatMap((statement) =>
      statement.asset_id === null
        ? []
        : {
            id: `statement-${statement.asset_id}-${statement.month}`,
            group: t('Statements'),
            text: t('{asset}, {month}', { asset: statement.asset_name, month: monthText(statement.month) }),
            detail: statementStatus(statement, username),
            keywords: `${t('Statement')} ${t('Costs')}`,
            face: icon(FileText),
            action: { run: () => void navigate(statementPage(Number(statement.asset_id), statement.month)) },
          },
    ),
    ...assets.map(({ id, name, price_per_month: price, currency }) => ({
      id: `asset-${id}`,
      group: t('Assets [[page]]'),
      text: name,
      detail: t('{price} per month', { price: formatMoney(price, currency) }),
      keywords: t('Manage'),
      face: asset(name),
      action: { run: () => void navigate({ to: paths.assets, search: assetDialog(id, 'details'), ...overPage }) },
    })),
    ...shares.map(({ id, asset_name: name, owner, status }) => ({
      id: `share-${id}`,
      group: t('Assets [[page]]'),
      text: name,
      detail: isOffer({ status }) ? t('Offer from {owner}', { owner }) : t('Shared by {owner}', { owner }),
      keywords: `${t('Track Usage')} ${t('Costs')}`,
      face: asset(name),
      action: { run: () => void navigate({ to: paths.shared, search: shareDialog(id, 'usage'), ...overPage }) },
    })),
    {
      id: 'add-asset',
      group: t('Assets [[page]]'),
      text: t('Add New Asset'),
      face: icon(Plus),
      action: { run: () => void navigate({ to: paths.assets, search: addAssetDialog, ...overPage }) },
    },
    ...themes.map(({ choice, Icon, text, done }) => ({
      id: `theme-${choice}`,
      group: t('Theme'),
      text: text(),
      face: icon(Icon),
      action: {
        run: () => {
          chooseTheme(choice);
          announce(done());
        },
      },
    })),
  ];
}
