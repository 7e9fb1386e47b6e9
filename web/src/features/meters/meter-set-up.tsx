import type { MeterKind } from '@hourshare/contract/fields';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyBlock, CopyField } from '../../ui/copy-field.tsx';
import { Select } from '../../ui/select.tsx';
import { EXAMPLE_NAME, EXAMPLE_TOKEN, filledIn, recipesFor, type Recipe } from './recipes.ts';

interface MeterSetUpProps {
  name: string;
  kind: MeterKind;
  /** The first token, if it was made just before. */
  first: string | null;
  /** Whether the token is of one member. */
  own?: boolean;
  make: UseMutationResult<string, Error, void>;
}

/** The token of a meter, which is shown only once, and what to paste into other programs. */
export function MeterSetUp({ name, kind, first, own = false, make }: MeterSetUpProps) {
  const [isAsking, setAsking] = useState(false);
  const token = make.data ?? first;
  const box = useRef<HTMLDivElement>(null);
  // The button that made it is gone.
  useEffect(() => {
    if (first !== null) box.current?.focus();
  }, [first]);
  const failure = make.isError ? errorText(make.error) || t("Couldn't make a token. Please try again.") : null;
  const close = () => setAsking(false);
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={t('Set up {meter}', { meter: name })} className="grid gap-4">
      {failure !== null && !isAsking && <Banner>{failure}</Banner>}
      {token !== null && (
        <CopyField
          label={t('Token of {meter}', { meter: name })}
          value={token}
          hint={t('Copy it now: it is shown only once.')}
        />
      )}
      <RecipePicker meter={name} kind={kind} token={token ?? EXAMPLE_TOKEN} own={own} />
      <Button look="outline" size="small" className="justify-self-start" onClick={() => setAsking(true)}>
        {t('Replace token')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Replace the token of {meter}?', { meter: name })}
          confirm={t('Replace [[token of a meter]]')}
          busyText={t('Replacing...')}
          busy={make.isPending}
          failure={failure}
          onConfirm={() => make.mutate(undefined, { onSuccess: close })}
          onCancel={close}
        >
          <p>{t('Anything with the old token stops recording until you give it the new one.')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface RecipePickerProps {
  meter: string;
  kind: MeterKind;
  token: string;
  own: boolean;
}

function RecipePicker({ meter, kind, token, own }: RecipePickerProps) {
  const choices = recipesFor({ kind, own });
  const [chosen, choose] = useState<string | null>(null);
  // Most meters are called what they are.
  const isNamed = ({ title }: Recipe) => meter.toLowerCase().includes(title.toLowerCase());
  const recipe = choices.find(({ id }) => id === chosen) ?? choices.find(isNamed) ?? choices[0];
  if (!recipe) return null;
  const fill = (text: string) => filledIn(text, { server: window.location.origin, token, own });
  return (
    <>
      {choices.length > 1 && (
        <Select
          label={t('Sent by')}
          value={recipe.id}
          options={choices.map(({ id: value, title }) => ({ value, text: title }))}
          onChange={choose}
        />
      )}
      <p className="text-[14px] text-muted empty:hidden">{notes[recipe.id]()}</p>
      {recipe.parts.map(({ where, text }) =>
        text.includes('\n') ? (
          <CopyBlock key={where} label={labelOf(where)} value={fill(text)} />
        ) : (
          <CopyField key={where} label={labelOf(where)} value={fill(text)} />
        ),
      )}
      {!own && recipe.parts.some(({ text }) => text.includes(EXAMPLE_NAME)) && (
        <p className="text-[14px] text-muted">
          {t('NAME can be any name. Once it arrives, say who it is under "Who\'s who".')}
        </p>
      )}
    </>
  );
}

function labelOf(where: string): string {
  if (where === 'start') return t('To start, run');
  return where === 'stop' ? t('To end, run') : where;
}

const notes: Record<Recipe['id'], () => string> = {
  curl: () => '',
  home_assistant: () => t('Records while the plug draws more than 10 W. Replace sensor.plug_power with yours.'),
  shortcuts: () =>
    t(
      'Method POST, these headers, and the text as the file of the request body. For DATE, insert the current date as ISO 8601 with time. A second shortcut sends "stop".',
    ),
  jellyfin: () =>
    t('In the Webhook plugin, add a generic destination with the notifications Playback Start, Progress, and Stop.'),
  tautulli: () => t('Add a Webhook as a notification agent with these triggers.'),
  activitywatch: () => t('Replace Figma with the app to record. Needs jq.'),
  claude_code: () =>
    t(
      "Four lines for each person, for team plans, API keys, and your own machines: sharing one login may break the provider's terms.",
    ),
};
