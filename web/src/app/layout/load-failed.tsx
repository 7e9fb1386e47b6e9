import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ownScript } from '../../platform/offline/worker.ts';
import { logError } from '../../platform/log.ts';
import { t } from '../../platform/i18n/messages.ts';
import { hasUnsaved } from '../../platform/forms/unsaved.ts';
import { Button } from '../../ui/button.tsx';

/** Shown when a page crashed or its chunk failed to load, for example after a server update. */
export function LoadFailed({ error }: ErrorComponentProps) {
  useEffect(() => logError('A page broke', error), [error]);
  useEffect(() => {
    if (lacksScript(error) && !hasUnsaved()) reloadOnce();
  }, [error]);
  return (
    <div role="alert" className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 className="font-display text-2xl font-bold">{t('Something went wrong')}</h1>
      <p className="mt-2 mb-5 text-muted">{t('Reload to try again. Your saved data is safe.')}</p>
      <Button onClick={() => window.location.reload()}>{t('Reload')}</Button>
    </div>
  );
}

/** How browsers say that a script couldn't be imported: a new version of the server has others. */
const lacksScript = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message);

const RELOADED = 'hourshare_reloaded';

/** Loads the version that the server has now, unless that has just been tried with this one. */
function reloadOnce(): void {
  if (sessionStorage.getItem(RELOADED) === ownScript()) return;
  sessionStorage.setItem(RELOADED, ownScript());
  window.location.reload();
}
