import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { announce } from './toasts.ts';
import { t } from '../platform/i18n/messages.ts';
import { Button } from './button.tsx';
import { FieldFrame } from './field.tsx';

interface CopyFieldProps {
  label: string;
  value: string;
  hint?: string;
  /** The text of the button, if copying is the main thing to do. */
  action?: string;
}

/** A text to pass on, with a button that copies it. */
export function CopyField({ label, value, hint, action }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(value, input.current);
    setCopied(done);
    announce(done ? t('Copied.') : t("Couldn't copy it. Select the text and copy it yourself."), {
      failed: !done,
    });
  };
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
          <Button
            look={action === undefined ? 'outline' : 'primary'}
            icon={isCopied ? <Check aria-hidden size={17} /> : <Copy aria-hidden size={17} />}
            onClick={() => void copy()}
          >
            {isCopied ? t('Copied') : (action ?? t('Copy'))}
          </Button>
        </div>
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
