import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { announce } from '../lib/announcements.ts';
import { errorText } from '../lib/error-texts.ts';
import type { NamedFile } from '../lib/http.ts';
import { NoConnection } from '../lib/http-errors.ts';
import { saveFile } from '../lib/save-file.ts';
import { Button } from './button.tsx';
import { classes } from './class-names.ts';

interface DownloadCsvProps {
  /** Fetches the file. */
  file: () => Promise<NamedFile>;
  /** What the file contains, for screen readers. */
  subject: string;
  className?: string;
}

/** A button that downloads the figures next to it as CSV. */
export function DownloadCsv({ file, subject, className }: DownloadCsvProps) {
  const download = useMutation({
    mutationFn: file,
    onSuccess: (got) => {
      saveFile(got);
      announce(`Downloaded ${got.name}.`);
    },
  });
  return (
    <div className={classes('flex flex-col items-start print:hidden', className)}>
      <Button
        look="quiet"
        size="small"
        className="-mx-3"
        icon={<Download aria-hidden size={16} />}
        busy={download.isPending}
        onClick={() => download.mutate()}
      >
        {download.isPending ? 'Downloading...' : 'Download CSV'}
        <span className="sr-only"> of {subject}</span>
      </Button>
      {download.isError && (
        <p role="alert" className="text-[13.5px] font-medium text-over-text">
          {download.error instanceof NoConnection ? errorText(download.error) : 'Failed to download. Please try again.'}
        </p>
      )}
    </div>
  );
}
