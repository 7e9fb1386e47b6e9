import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { announce } from '../lib/announcements.ts';
import { errorText } from '../lib/error-texts.ts';
import type { NamedFile } from '../lib/http.ts';
import { NoConnection } from '../lib/http-errors.ts';
import { rich, t } from '../lib/messages.ts';
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

const more = (text: ReactNode) => <span className="sr-only">{text}</span>;

export const downloadFailureText = (error: unknown): string =>
  error instanceof NoConnection ? errorText(error) : t("Couldn't download the file. Please try again.");

/** A button that downloads the figures next to it as CSV. */
export function DownloadCsv({ file, subject, className }: DownloadCsvProps) {
  const download = useMutation({
    mutationFn: file,
    onSuccess: (got) => {
      saveFile(got);
      announce(t('Downloaded {file}.', { file: got.name }));
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
        {download.isPending
          ? rich('Downloading...<more> of {subject}</more>', { subject, more })
          : rich('Download CSV<more> of {subject}</more>', { subject, more })}
      </Button>
      {download.isError && (
        <p role="alert" className="text-[13.5px] font-medium text-over-text">
          {downloadFailureText(download.error)}
        </p>
      )}
    </div>
  );
}
