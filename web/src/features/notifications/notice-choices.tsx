import type { User } from '@hourshare/contract/users';
import { NOTICE_DEFAULTS, type NoticeChoice, type NoticeKind } from '@hourshare/contract/notifications';
import { useId, useState, type ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { useAbout } from '../accounts/about-api.ts';
import { Banner } from '../../ui/banner.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { useChooseNotices, useNoticeChoices, type ChoiceChange } from './api.ts';
import { kindGroups, kindTexts } from './kinds-text.ts';

type Channel = 'bell' | 'mail' | 'push';

const channels: Record<Channel, () => string> = {
  bell: () => t('Bell'),
  mail: () => t('Email [[column]]'),
  push: () => t('Push'),
};
const channelNames: readonly Channel[] = ['bell', 'mail', 'push'];

type Level = 'everything' | 'important' | 'nothing' | 'custom';

/** What each level has for a kind; what is mailed always isn't a choice. */
const levels: Record<Exclude<Level, 'custom'>, (kind: NoticeKind) => Record<Channel, boolean>> = {
  everything: () => ({ bell: true, mail: true, push: true }),
  important: (kind) => NOTICE_DEFAULTS[kind],
  nothing: () => ({ bell: false, mail: false, push: false }),
};

const choosable = ({ mail_always: isMailed }: NoticeChoice) =>
  channelNames.filter((name) => name !== 'mail' || !isMailed);

function levelOf(choices: readonly NoticeChoice[]): Level {
  const names = ['everything', 'important', 'nothing'] as const;
  const isLevel = (level: (typeof names)[number]) =>
    choices.every((choice) => choosable(choice).every((name) => choice[name] === levels[level](choice.kind)[name]));
  return names.find(isLevel) ?? 'custom';
}

/** What the user hears of, and how: one of three levels, or chosen by group or by kind. Saved at once. */
export function NoticeChoices({ user }: { user: User }) {
  const { data, isError, refetch } = useNoticeChoices();
  // A newer server may know more kinds.
  const choices = data?.filter(({ kind }) => kind in NOTICE_DEFAULTS);
  const choose = useChooseNotices();
  const [isCustom, setCustom] = useState(false);
  const level = choices && (isCustom ? 'custom' : levelOf(choices));
  const chooseLevel = (chosen: Level) => {
    setCustom(chosen === 'custom');
    if (chosen === 'custom' || !choices) return;
    const change = (choice: NoticeChoice): ChoiceChange => {
      const all = levels[chosen](choice.kind);
      return { kind: choice.kind, ...Object.fromEntries(choosable(choice).map((name) => [name, all[name]])) };
    };
    choose.mutate(choices.map(change));
  };
  return (
    <>
      {choose.isError && <Banner className="mb-3">{t("Couldn't save that setting. Please try again.")}</Banner>}
      {isError && !choices && (
        <Banner className="mb-3" onRetry={() => void refetch()}>
          {t("Couldn't load your choices.")}
        </Banner>
      )}
      <RadioCards
        isCompact
        legend={t('Notify me about')}
        value={level ?? null}
        onChange={chooseLevel}
        options={[
          { value: 'everything', text: t('Everything'), hint: t('Every change') },
          { value: 'important', text: t('Important'), hint: t('Offers, money, security') },
          { value: 'nothing', text: t('Nothing'), hint: t('Only security, by email') },
          { value: 'custom', text: t('Customize'), hint: t('You choose') },
        ]}
      />
      {choices && level === 'custom' && (
        <Tables user={user} choices={choices} onChange={(changes) => choose.mutate(changes)} />
      )}
    </>
  );
}

interface TablesProps {
  user: User;
  choices: readonly NoticeChoice[];
  onChange: (changes: ChoiceChange[]) => void;
}

function Tables({ user, choices, onChange }: TablesProps) {
  const about = useAbout();
  const reasonId = useId();
  const names = channelNames.filter((name) => name !== 'mail' || about?.mail !== false);
  const isMailOff = about?.mail !== false && !user.email_notifications;
  const disabledBy = (name: Channel) => (name === 'mail' && isMailOff ? reasonId : undefined);
  const shown = kindGroups.map((group) => ({
    ...group,
    choices: group.kinds.flatMap((kind) => choices.find((choice) => choice.kind === kind) ?? []),
  }));
  const change = (changed: readonly NoticeChoice[], name: Channel, checked: boolean) =>
    onChange(
      changed.filter((choice) => choosable(choice).includes(name)).map(({ kind }) => ({ kind, [name]: checked })),
    );
  return (
    <div className="mt-4">
      {isMailOff && (
        <p id={reasonId} className="mb-2 text-[14px] text-muted">
          {t('Email notifications are off, so none of these come by email.')}
        </p>
      )}
      <ChoiceTable label={t('Notifications by group')} names={names}>
        {shown.map(({ title, hint, choices: all }) => (
          <Row
            key={title()}
            title={title()}
            hint={hint()}
            names={names}
            choices={all}
            disabledBy={disabledBy}
            onChange={(name, checked) => change(all, name, checked)}
          />
        ))}
      </ChoiceTable>
      <Disclosure className="border-t border-line" summary={t('One by one')}>
        <ChoiceTable label={t('Notifications one by one')} names={names}>
          {shown.flatMap(({ choices: all }) =>
            all.map((choice) => (
              <Row
                key={choice.kind}
                title={kindTexts[choice.kind]()}
                names={names}
                choices={[choice]}
                disabledBy={disabledBy}
                onChange={(name, checked) => change([choice], name, checked)}
              />
            )),
          )}
        </ChoiceTable>
      </Disclosure>
    </div>
  );
}

const ChoiceTable = ({ label, names, children }: { label: string; names: Channel[]; children: ReactNode }) => (
  <table aria-label={label} className="w-full table-fixed text-[14.5px]">
    <colgroup>
      <col />
      {names.map((name) => (
        <col key={name} className="w-13 sm:w-20" />
      ))}
    </colgroup>
    <thead>
      <tr>
        <th scope="col">
          <span className="sr-only">{t('Notifications')}</span>
        </th>
        {names.map((name) => (
          <th key={name} scope="col" className="pb-1 text-center text-[13px] font-semibold text-muted">
            {channels[name]()}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

interface RowProps {
  title: string;
  hint?: string;
  names: readonly Channel[];
  choices: readonly NoticeChoice[];
  /** Returns the id of the text that says why a column can't be changed. */
  disabledBy: (name: Channel) => string | undefined;
  onChange: (name: Channel, checked: boolean) => void;
}

function Row({ title, hint, names, choices, disabledBy, onChange }: RowProps) {
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-1.5 pe-2 text-start font-medium [overflow-wrap:anywhere]">
        {title}
        {hint !== undefined && <span className="block text-[13px] font-normal text-muted">{hint}</span>}
      </th>
      {names.map((name) => {
        const open = choices.filter((choice) => choosable(choice).includes(name));
        const checked = open.filter((choice) => choice[name]).length;
        return (
          <td key={name} className="text-center">
            <label className="inline-flex size-11 cursor-pointer items-center justify-center has-disabled:cursor-default">
              <input
                type="checkbox"
                ref={(box) => {
                  if (box) box.indeterminate = checked > 0 && checked < open.length;
                }}
                aria-label={t('{what}: {channel}', { what: title, channel: channels[name]() })}
                checked={checked === open.length}
                disabled={open.length === 0 || disabledBy(name) !== undefined}
                aria-describedby={disabledBy(name)}
                onChange={(event) => onChange(name, event.target.checked)}
                className="size-5 accent-accent disabled:opacity-50"
              />
            </label>
          </td>
        );
      })}
    </tr>
  );
}
