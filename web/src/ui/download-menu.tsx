import { Menu } from '@base-ui/react/menu';
import { Download } from 'lucide-react';
import type { NamedFile } from '../platform/http/call.ts';
import { t } from '../platform/i18n/messages.ts';
import { buttonClasses } from './button.tsx';
import { classes } from './class-names.ts';
import { DownloadFailure, useDownload } from './download-csv.tsx';
import { menuItem, menuPopup } from './menu-classes.ts';

interface DownloadMenuProps {
  files: { name: string; file: () => Promise<NamedFile> }[];
}

/** One button for all CSV files of a page. */
export function DownloadMenu({ files }: DownloadMenuProps) {
  const download = useDownload();
  return (
    <div className="flex flex-col items-start print:hidden">
      <Menu.Root>
        <Menu.Trigger aria-busy={download.isPending || undefined} className={buttonClasses('quiet', 'small', '-mx-3')}>
          <Download aria-hidden size={16} />
          {t('Download CSV')}
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="z-40" align="end" sideOffset={6} collisionPadding={12}>
            <Menu.Popup className={classes(menuPopup, 'max-h-(--available-height) min-w-56 overflow-y-auto')}>
              {files.map(({ name, file }) => (
                <Menu.Item key={name} className={menuItem} onClick={() => download.mutate(file)}>
                  {name}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {download.isError && <DownloadFailure error={download.error} />}
    </div>
  );
}
