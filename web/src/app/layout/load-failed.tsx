import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { logError } from '../../lib/log.ts';
import { t } from '../../lib/messages.ts';
import { Button } from '../../ui/button.tsx';

/** Shown when a page crashed or its chunk failed to load, for example after a server update. */
export function LoadFailed({ error }: ErrorComponentProps) {
  useEffect(() => logError('A page broke', error), [error]);
  return (
    <div role="alert" className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 className="font-display text-2xl font-bold">{t('Something went wrong')}</h1>
      <p className="mt-2 mb-5 text-muted">{t('Reload to try again. Your saved data is safe.')}</p>
      <Button onClick={() => window.location.reload()}>{t('Reload')}</Button>
    </div>
  );
}
