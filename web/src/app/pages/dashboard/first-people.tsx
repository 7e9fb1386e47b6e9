import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from '@hourshare/contract/limits';
import { MonthlyHours, ShareFields } from '@hourshare/contract/shares';
import { UserRoundPlus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { readNumber } from '../../../platform/forms/request-form.ts';
import { issueText } from '../../../platform/i18n/error-texts.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { keepFocusInPage } from '../../../ui/focus.ts';
import { hidden } from '../../../ui/hidden-text.tsx';
import { Stepper } from '../../../ui/stepper.tsx';

/** What someone gets who was added without a choice: an hour and a bit a day. */
const USUAL_HOURS = '40';

export interface TypedPerson {
  username: string;
  hours: string;
}

/** Returns the people who were added, and the one whose name is still in the field. */
const invitedPeople = (people: TypedPerson[], typed: string): TypedPerson[] =>
  typed.trim() === '' ? people : [...people, { username: typed.trim(), hours: USUAL_HOURS }];

const nameProblem = (username: string): string | undefined => {
  const [issue] = ShareFields.shape.username.safeParse(username).error?.issues ?? [];
  return issue && issueText(issue.message);
};

const hoursProblem = (hours: string): string | undefined => {
  const [issue] = MonthlyHours.safeParse(readNumber(hours)).error?.issues ?? [];
  return issue && issueText(issue.message);
};

/** The people to share a first asset with, as typed. */
export function useFirstPeople() {
  const [people, setPeople] = useState<TypedPerson[]>([]);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const isKnown = people.some(({ username }) => username.toLowerCase() === typed.trim().toLowerCase());
  const add = () => {
    const name = typed.trim();
    if (name === '') return;
    const wrong = nameProblem(name);
    setProblem(wrong);
    if (wrong !== undefined) return;
    if (!isKnown) setPeople(invitedPeople(people, name));
    setTyped('');
  };
  return {
    people,
    typed,
    problem,
    invited: isKnown ? people : invitedPeople(people, typed),
    add,
    type: (name: string) => {
      setTyped(name);
      setProblem(undefined);
    },
    remove: (name: string) => setPeople(people.filter(({ username }) => username !== name)),
    setHours: (name: string, hours: string) =>
      setPeople(people.map((person) => (person.username === name ? { ...person, hours } : person))),
    /** Whether all of it can be sent; says what can't. */
    check: (measured: boolean): boolean => {
      const wrong = typed.trim() === '' ? undefined : nameProblem(typed.trim());
      setProblem(wrong);
      return wrong === undefined && !(measured && people.some(({ hours }) => hoursProblem(hours) !== undefined));
    },
  };
}

interface FirstPeopleProps {
  chosen: ReturnType<typeof useFirstPeople>;
  measured: boolean;
}

/** Who uses a first asset, with a stepper for the hours of each if it is measured. */
export function FirstPeople({ chosen, measured }: FirstPeopleProps) {
  const fields = useRef<HTMLFieldSetElement>(null);
  // The button leaves with its person. On touch, the keyboard would cover the page, so that the field is the last choice.
  const remove = (name: string, index: number) => {
    chosen.remove(name);
    keepFocusInPage(() => {
      const buttons = fields.current?.querySelectorAll<HTMLElement>('li > button') ?? [];
      return buttons[Math.min(index, buttons.length - 1)] ?? fields.current?.querySelector('input') ?? null;
    });
  };
  return (
    <fieldset ref={fields} className="grid min-w-0 gap-3">
      <legend className="mb-3 font-display text-[21px] leading-tight font-bold">{t('Who uses it with you?')}</legend>
      {chosen.people.length > 0 && (
        <ul role="list" className="grid gap-3">
          {chosen.people.map(({ username, hours }, index) => (
            <li key={username} className="flex items-center gap-3">
              <Avatar name={username} hue={null} />
              <span dir="auto" className="min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]">
                {username}
              </span>
              {measured && (
                <div className="w-36">
                  <Stepper
                    label={t('Hours a month for {name}', { name: username })}
                    hidesLabel
                    min={ALLOCATION_MIN_HOURS}
                    max={ALLOCATION_MAX_HOURS}
                    value={hours}
                    error={hoursProblem(hours)}
                    onChange={(event) => chosen.setHours(username, event.target.value)}
                  />
                </div>
              )}
              <Button look="plain" size="small" className="px-2!" onClick={() => remove(username, index)}>
                <X aria-hidden size={18} />
                <span className="sr-only">{rich('Remove<hidden> {name}</hidden>', { name: username, hidden })}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-end gap-2.5">
        <div className="min-w-0 flex-1">
          <TextField
            label={t('Username')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={t('Username, or any name')}
            value={chosen.typed}
            error={chosen.problem}
            onChange={(event) => chosen.type(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || chosen.typed.trim() === '') return;
              event.preventDefault();
              chosen.add();
            }}
          />
        </div>
        <Button look="outline" icon={<UserRoundPlus aria-hidden size={18} />} onClick={chosen.add}>
          {t('Add')}
        </Button>
      </div>
    </fieldset>
  );
}
