import { Menu } from '@base-ui/react/menu';
import { Ellipsis } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { buttonClasses } from './button.tsx';
import { classes } from './class-names.ts';
import { menuItem, menuPopup } from './menu-classes.ts';

interface MoreMenuProps {
  label: string;
  actions: { key: string; text: ReactNode; danger?: boolean; onPress: () => void }[];
  ref?: Ref<HTMLButtonElement>;
}

/** What is done rarely, behind three dots. */
export const MoreMenu = ({ label, actions, ref }: MoreMenuProps) => (
  <Menu.Root>
    <Menu.Trigger ref={ref} aria-label={label} className={buttonClasses('plain', 'small', 'px-2.5!')}>
      <Ellipsis aria-hidden size={20} />
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="z-60" align="end" sideOffset={4} collisionPadding={12}>
        <Menu.Popup className={menuPopup}>
          {actions.map(({ key, text, danger = false, onPress }) => (
            <Menu.Item key={key} onClick={onPress} className={classes(menuItem, danger && 'text-over-text')}>
              {text}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
);
