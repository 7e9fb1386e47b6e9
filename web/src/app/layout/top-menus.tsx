import { Menu } from '@base-ui/react/menu';
import type { User } from '@hourshare/contract/users';
import { Link } from '@tanstack/react-router';
import { Check, LogOut, Settings, ShieldCheck, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { logout } from '../../features/accounts/api.ts';
import { losePresses } from '../../platform/offline/queue.ts';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { menuItem, menuPopup } from '../../ui/menu-classes.ts';
import { useThemeChoice } from '../../ui/theme-changes.ts';
import { chooseTheme, themeChoices } from '../../ui/theme.ts';
import { loseEdits } from '../../platform/forms/unsaved.ts';
import { themeNames } from '../theme-names.ts';
import { QuickStats } from './quick-stats.tsx';

interface Trigger {
  label: string;
  face: ReactNode;
  className: string;
}

// All load on the press that opens them, so they start open.

interface TopMenuProps extends Trigger {
  /** The class of its width. */
  width: string;
  children: ReactNode;
}

const TopMenu = ({ label, face, className, width, children }: TopMenuProps) => (
  <Menu.Root defaultOpen>
    <Menu.Trigger aria-label={label} className={className}>
      {face}
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="z-40" align="end" sideOffset={6} collisionPadding={12}>
        <Menu.Popup className={`${menuPopup} ${width}`}>{children}</Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
);

export function ThemeMenu(trigger: Trigger) {
  const theme = useThemeChoice();
  return (
    <TopMenu {...trigger} width="w-44">
      <Menu.RadioGroup value={theme} onValueChange={chooseTheme}>
        {themeChoices.map((choice) => (
          <Menu.RadioItem key={choice} value={choice} closeOnClick className={menuItem}>
            {themeNames[choice]()}
            <Menu.RadioItemIndicator className="ms-auto">
              <Check aria-hidden size={18} />
            </Menu.RadioItemIndicator>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </TopMenu>
  );
}

export const UserMenu = ({ user, ...trigger }: Trigger & { user: User }) => (
  <TopMenu {...trigger} width="w-56">
    <Menu.Group>
      <Menu.GroupLabel className="px-3 pt-2 pb-1.5 text-[13.5px] text-muted">
        <p className="truncate">{user.username}</p>
        {/* The side panel has these where there is room for it. */}
        <div className="lg:hidden">
          <p>{t('Member')}</p>
          <p className="mt-2.5 text-[12px] font-semibold tracking-[0.06em] uppercase">{t('Quick Stats')}</p>
          <QuickStats className="mt-0.5" />
        </div>
      </Menu.GroupLabel>
      <Menu.LinkItem className={menuItem} closeOnClick render={<Link to={paths.profile} />}>
        <UserRound aria-hidden size={18} />
        {t('Your Profile')}
      </Menu.LinkItem>
      <Menu.LinkItem className={menuItem} closeOnClick render={<Link to={paths.settings} />}>
        <Settings aria-hidden size={18} />
        {t('Settings')}
      </Menu.LinkItem>
      {user.administrator && (
        <Menu.LinkItem className={menuItem} closeOnClick render={<Link to={paths.administration} />}>
          <ShieldCheck aria-hidden size={18} />
          {t('Administration')}
        </Menu.LinkItem>
      )}
    </Menu.Group>
    <Menu.Separator className="my-1.5 h-px bg-line" />
    <Menu.Item className={menuItem} onClick={() => loseEdits(() => losePresses(() => void logout()))}>
      <LogOut aria-hidden size={18} />
      {t('Sign out')}
    </Menu.Item>
  </TopMenu>
);
