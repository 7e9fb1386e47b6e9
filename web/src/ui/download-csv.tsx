import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { announce } from './toasts.ts';
import { errorText } from '../platform/i18n/error-texts.ts';
import type { NamedFile } from '../platform/http/call.ts';
import { NoConnection } from '../platform/http/errors.ts';
import { rich, t } from '../platform/i18n/messages.ts';
import { saveFile } from '../platform/http/save-file.ts';
import { Button } from './button.tsx';
import { classes } from './class-names.ts';
import { hidden } from './hidden-text.tsx';

interface DownloadCsvProps {
  /** Fetches the file. */
  file: () => Promise<NamedFile>;
  /** What the file contains, for screen readers. */
  subject: string;
  className?: string;
}

/** Fetches a file, saves it, and says so. */
export const useDownload = () =>
  useMutation({
    mutationFn: (file: () => Promise<NamedFile>) => file(),
    onSuccess: (got) => {
      saveFile(got);
      announce(t('Downloaded {file}.', { file: got.name }));
    },
  });

export const DownloadFailure = ({ error }: { error: unknown }) => (
  <p role="alert" className="text-small font-medium text-over-text">
    {error instanceof NoConnection ? errorText(error) : t("Couldn't download the file. Please try again.")}
  </p>
);

/** A button that downloads the figures next to it as CSV. */
export function DownloadCsv({ file, subject, className }: DownloadCsvProps) {
  const download = useDownload();
  return (
    <div className={classes('flex flex-col items-start print:hidden', className)}>
      <Button
        look="quiet"
        size="small"
        className="-mx-3"
        icon={<Download aria-hidden size={16} />}
        busy={download.isPending}
        onClick={() => download.mutate(file)}
      >
        {download.isPending
          ? rich('Downloading...<hidden> of {subject}</hidden>', { subject, hidden })
          : rich('Download CSV<hidden> of {subject}</hidden>', { subject, hidden })}
      </Button>
      {download.isError && <DownloadFailure error={download.error} />}
    </div>
  );
}
