import { Download } from 'lucide-react';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadFailure, useDownload } from '../../ui/download-csv.tsx';
import { csvExport, jsonExport } from './api.ts';

/** Downloads everything about the user. */
export function ExportButtons() {
  const download = useDownload();
  const formats = [
    { file: jsonExport, text: t('Download as JSON') },
    { file: csvExport, text: t('Download as CSV files (ZIP)') },
  ];
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2.5">
        {formats.map(({ file, text }) => (
          <Button
            key={text}
            look="outline"
            icon={<Download aria-hidden size={16} />}
            busy={download.isPending && download.variables === file}
            disabled={download.isPending}
            busyText={t('Downloading...')}
            onClick={() => download.mutate(file)}
          >
            {text}
          </Button>
        ))}
      </div>
      {download.isError && <DownloadFailure error={download.error} />}
    </div>
  );
}
