import { COST_TEXT_MAX_LENGTH } from '@hourshare/contract/limits';
import type { StatementCost } from '@hourshare/contract/statements';
import { useRef, useState, type ReactNode } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { focusOnMount, takeFocus } from '../../ui/focus.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAnswerCost, type CostPlace } from './api.ts';

/** What the user can say to a cost. */
interface Answers {
  count?: boolean;
  decline?: boolean;
  /** The part that a yes is to. */
  yes?: number | undefined;
  no?: boolean;
  object?: boolean;
  /** Takes back their own answer. */
  undo?: boolean;
}

interface CostAnswerProps {
  place: CostPlace;
  cost: Pick<StatementCost, 'id' | 'text' | 'version'>;
  can: Answers;
  /** On a card, of the button that agrees. */
  look?: ButtonLook;
  /** More buttons beside. */
  children?: ReactNode;
}

/** Where an owner counts or declines a cost, and a member says yes or no to it, or objects. */
export function CostAnswer({ place, cost, can, look, children }: CostAnswerProps) {
  const [form, setForm] = useState<'decline' | 'object' | null>(null);
  const [line, setLine] = useState('');
  const group = useRef<HTMLDivElement>(null);
  const answer = useAnswerCost(place, cost.id);
  const close = () => {
    setForm(null);
    setLine('');
    takeFocus(group.current);
  };
  const say = (body: Parameters<typeof answer.mutate>[0]) => answer.mutate(body, { onSuccess: close });
  const seen = cost.version === null ? {} : { version: cost.version };
  const withLine = { ...seen, ...(line.trim() !== '' && { text: line }) };
  const name = { cost: cost.text, hidden };
  const agreeing = { look: look ?? ('quiet' as const), size: 'small' as const, busy: answer.isPending };
  const other = { ...agreeing, look: look ? ('outline' as const) : ('quiet' as const) };
  const { yes } = can;
  return (
    <div ref={group} tabIndex={-1} className="outline-none">
      {form !== null && (
        <form
          noValidate
          className="mt-2 grid gap-2 rounded-card bg-sunken p-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (answer.isPending) return;
            say(form === 'decline' ? { answer: 'decline', ...withLine } : { answer: 'no', ...withLine });
          }}
        >
          <TextField
            ref={focusOnMount}
            autoComplete="off"
            label={form === 'decline' ? t('Why (optional)') : t('What is wrong (optional)')}
            maxLength={COST_TEXT_MAX_LENGTH}
            value={line}
            onChange={({ target }) => setLine(target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" size="small" busy={answer.isPending}>
              {form === 'decline' ? t('Decline') : t('Object')}
            </Button>
            <Button look="outline" size="small" onClick={close}>
              {t('Cancel')}
            </Button>
          </div>
        </form>
      )}
      {answer.error && (
        <p role="alert" className="mt-1 text-[14px] font-medium text-over-text">
          {errorText(answer.error) || t("Couldn't save your answer. Please try again.")}
        </p>
      )}
      {form === null && (
        <div className={look ? 'mt-3 flex flex-wrap gap-2' : '-ms-3 flex flex-wrap gap-x-1'}>
          {can.count && (
            <Button {...agreeing} onClick={() => say({ answer: 'count', ...seen })}>
              {rich('Count<hidden> {cost}</hidden>', name)}
            </Button>
          )}
          {can.decline && (
            <Button {...other} busy={false} onClick={() => setForm('decline')}>
              {rich('Decline<hidden> {cost}</hidden>', name)}
            </Button>
          )}
          {yes !== undefined && (
            <Button {...agreeing} onClick={() => say({ answer: 'yes', amount: yes, ...seen })}>
              {rich('Say yes<hidden> to {cost}</hidden>', name)}
            </Button>
          )}
          {can.no && (
            <Button {...other} onClick={() => say({ answer: 'no', ...seen })}>
              {rich('Say no<hidden> to {cost}</hidden>', name)}
            </Button>
          )}
          {can.object && (
            <Button {...other} busy={false} onClick={() => setForm('object')}>
              {rich('Object<hidden> to {cost}</hidden>', name)}
            </Button>
          )}
          {can.undo && (
            <Button {...other} onClick={() => say({ answer: 'none' })}>
              {rich('Undo my answer<hidden> to {cost}</hidden>', name)}
            </Button>
          )}
          {children}
        </div>
      )}
    </div>
  );
}
