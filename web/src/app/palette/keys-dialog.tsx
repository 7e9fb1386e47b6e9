import { useState, type ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { CommandKey, Key } from '../../ui/key.tsx';
import { areSingleKeysOn, chooseSingleKeys } from './keys.ts';

/** Lists the keys that work on every page, and turns off those that are a single character. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [single, setSingle] = useState(areSingleKeysOn);
  return (
    <Dialog title={t('Keyboard shortcuts')} onClose={onClose}>
      <DialogBody>
        <dl className="mb-3 divide-y divide-line border-y border-line">
          <Row keys={<CommandKey letter="K" />}>{t('Search, start, or end a session')}</Row>
          <Row keys={<Key>/</Key>}>{t('Filter the list on the page, or search')}</Row>
          <Row keys={<Key>?</Key>}>{t('Show these shortcuts')}</Row>
          <Row keys={<Key>F6</Key>}>{t('Go to the latest notification')}</Row>
          <Row keys={<Key>{t('Esc [[key]]')}</Key>}>{t('Close the open dialog or menu')}</Row>
        </dl>
        <Checkbox
          label={t('Use / and ?')}
          hint={t('Turn this off if you use speech input or press them by accident.')}
          checked={single}
          onChange={(on) => {
            chooseSingleKeys(on);
            setSingle(on);
          }}
        />
      </DialogBody>
    </Dialog>
  );
}

const Row = ({ keys, children }: { keys: ReactNode; children: ReactNode }) => (
  <div className="flex min-h-11 items-center justify-between gap-4">
    <dt>{children}</dt>
    <dd className="shrink-0">{keys}</dd>
  </div>
);
