import { Check, Copy } from 'lucide-react';
import { useRef, useState, type ComponentProps, type RefObject } from 'react';
import { announce } from './toasts.ts';
import { t } from '../platform/i18n/messages.ts';
import { Button } from './button.tsx';
import { FieldFrame } from './field.tsx';

/** A longer text scrolls. */
const MAX_ROWS = 12;

interface CopyFieldProps {
  label: string;
  value: string;
  hint?: string;
  /** The text of the button, if copying is the main thing to do. */
  action?: string;
}

function useCopy(value: string, field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(value, field.current);
    setCopied(done);
    announce(done ? t('Copied.') : t("Couldn't copy it. Select the text and copy it yourself."), {
      failed: !done,
    });
  };
  return { isCopied, copy: () => void copy() };
}

interface CopyButtonProps extends ComponentProps<typeof Button> {
  isCopied: boolean;
  action?: string | undefined;
}

const CopyButton = ({ isCopied, action, ...button }: CopyButtonProps) => (
  <Button icon={isCopied ? <Check aria-hidden size={17} /> : <Copy aria-hidden size={17} />} {...button}>
    {isCopied ? t('Copied') : (action ?? t('Copy'))}
  </Button>
);

/** A text to pass on, with a button that copies it. */
export function CopyField({ label, value, hint, action }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const { isCopied, copy } = useCopy(value, input);
  return (
    <FieldFrame label={label} hint={hint}>
      {(ariaProps, inputClass) => (
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            {...ariaProps}
            readOnly
            dir="ltr"
            value={value}
            onFocus={(event) => event.target.select()}
            className={`${inputClass} h-11 min-w-0 flex-1 basis-32 text-ellipsis`}
          />
          <CopyButton
            isCopied={isCopied}
            action={action}
            look={action === undefined ? 'outline' : 'primary'}
            onClick={copy}
          />
        </div>
      )}
    </FieldFrame>
  );
}

/** A text of several lines to pass on, with a button that copies it. */
export function CopyBlock({ label, value }: Pick<CopyFieldProps, 'label' | 'value'>) {
  const block = useRef<HTMLTextAreaElement>(null);
  const { isCopied, copy } = useCopy(value, block);
  return (
    <FieldFrame label={label}>
      {(ariaProps, inputClass) => (
        <>
          <textarea
            ref={block}
            {...ariaProps}
            readOnly
            dir="ltr"
            wrap="off"
            spellCheck={false}
            rows={Math.min(MAX_ROWS, value.split('\n').length + 1)}
            value={value}
            className={`${inputClass} block resize-none bg-sunken! py-2.5 font-mono text-[13px]!`}
          />
          <CopyButton isCopied={isCopied} look="outline" size="small" className="mt-2" onClick={copy} />
        </>
      )}
    </FieldFrame>
  );
}

/** Browsers offer the clipboard only on secure pages; a server at home may not have TLS. */
export async function copyText(text: string, input: HTMLInputElement | HTMLTextAreaElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    input?.select();
    return document.execCommand('copy');
  }
}
