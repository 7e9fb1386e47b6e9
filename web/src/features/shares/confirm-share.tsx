import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useConfirmShare } from './changes-api.ts';

interface ConfirmShareProps {
  assetId: number;
  shareId: number;
  /** Of the member. */
  name: string;
  look?: ButtonLook;
}

/** With this, an owner counts what a co-manager added. */
export function ConfirmShare({ assetId, shareId, name, look = 'quiet' }: ConfirmShareProps) {
  const confirm = useConfirmShare(assetId);
  return (
    <>
      <Button look={look} size="small" busy={confirm.isPending} onClick={() => confirm.mutate(shareId)}>
        {rich('Confirm<hidden> what was added for {name}</hidden>', { name, hidden })}
      </Button>
      {confirm.isError && (
        <p role="alert" className="basis-full text-small font-medium text-over-text">
          {errorText(confirm.error) || t("Couldn't change this. Please try again.")}
        </p>
      )}
    </>
  );
}
