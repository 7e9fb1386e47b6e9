import { Menu } from '@base-ui/react/menu';
import { Download } from 'lucide-react';
import type { NamedFile } from '../platform/http/call.ts';
import { t } from '../platform/i18n/messages.ts';
import { buttonClasses } from './button.tsx';
import { DownloadFailure, useDownload } from './download-csv.tsx';

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
            <Menu.Popup className="max-h-(--available-height) min-w-56 overflow-y-auto rounded-card border border-line bg-raised p-1.5 outline-none">
              {files.map(({ name, file }) => (
                <Menu.Item
                  key={name}
                  className="flex min-h-11 cursor-pointer items-center rounded-control px-3 font-medium outline-none select-none data-highlighted:bg-sunken"
                  onClick={() => download.mutate(file)}
                >
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
