import type { EditedSession } from '@hourshare/contract/statements';
import type { ReactNode } from 'react';
import { momentText } from '../../platform/format/time.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useQuestion } from '../../ui/use-question.ts';
import { useAgree } from './log-api.ts';

/** What a member is asked who agrees to an objection. */
export const restoreQuestion = () => ({
  title: t('Restore the recorded times?'),
  text: t('They count again at once. So do those of other sessions that you moved into this time.'),
  confirm: t('Restore'),
});

export const restoreLabel = (start: string): ReactNode =>
  rich('Restore the recorded times<hidden> of the session from {start}</hidden>', { start: momentText(start), hidden });

interface ObjectionAnswerProps {
  shareId: number;
  session: EditedSession;
  look: ButtonLook;
}

/** With this, a member agrees to an objection without opening the session. */
export function ObjectionAnswer({ shareId, session, look }: ObjectionAnswerProps) {
  const agree = useAgree(shareId);
  const { loading, asked, ask, close } = useQuestion<'restore'>();
  const { text, ...question } = restoreQuestion();
  return (
    <>
      <Button look={look} size="small" busy={loading !== null} onClick={() => ask('restore')}>
        {restoreLabel(session.start_time ?? session.recorded_start)}
      </Button>
      {asked && (
        <asked.Dialog
          {...question}
          look="primary"
          busyText={t('Saving...')}
          busy={agree.isPending}
          failure={agree.isError ? errorText(agree.error) || t("Couldn't save your answer. Please try again.") : null}
          onConfirm={() => agree.mutate(session.session_id, { onSuccess: close })}
          onCancel={() => {
            agree.reset();
            close();
          }}
        >
          <p>{text}</p>
        </asked.Dialog>
      )}
    </>
  );
}
