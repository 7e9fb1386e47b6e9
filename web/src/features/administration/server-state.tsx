import type { Administration } from '@hourshare/contract/administration';
import { Archive, CalendarClock, Mail, Server } from 'lucide-react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { useBackUp, useTestMail } from './api.ts';
import { StateRow } from './state-row.tsx';

interface ServerStateProps {
  state: Administration;
  /** The administrator's address. */
  email: string;
  canChange: boolean;
}

/** What runs on the server's own: email, backups, jobs, and versions. */
export const ServerState = ({ state, email, canChange }: ServerStateProps) => (
  <div className="divide-y divide-line">
    <Email hasMail={state.mail} email={email} canChange={canChange} />
    <Backups backups={state.backups} canChange={canChange} />
    <Jobs jobs={state.jobs} />
    <Versions versions={state.versions} />
  </div>
);

interface AttemptProps {
  attempt: { isError: boolean; error: unknown; data: { problem: string | null } | undefined };
  /** What is said if there is no answer, and if it worked. */
  failure: string;
  success: string;
}

/** How an attempt ended. Its reason is what the system says, in English. */
function Attempt({ attempt: { isError, error, data }, failure, success }: AttemptProps) {
  if (isError) return <Banner className="mt-3">{errorText(error) || failure}</Banner>;
  if (!data) return null;
  if (data.problem === null)
    return (
      <Banner tone="note" className="mt-3">
        {success}
      </Banner>
    );
  return (
    <Banner className="mt-3">
      {failure}{' '}
      <span lang="en" dir="ltr">
        {data.problem}
      </span>
    </Banner>
  );
}

function Email({ hasMail, email, canChange }: { hasMail: boolean; email: string; canChange: boolean }) {
  const send = useTestMail();
  return (
    <StateRow
      Icon={Mail}
      title={t('Email')}
      action={
        hasMail ? (
          <Button look="outline" size="small" disabled={!canChange} busy={send.isPending} onClick={() => send.mutate()}>
            {t('Send test message')}
          </Button>
        ) : undefined
      }
      below={
        <Attempt
          attempt={send}
          failure={t("The test message wasn't sent.")}
          success={t("The mail server took it. If it doesn't arrive, look in the spam folder.")}
        />
      }
    >
      {hasMail ? t('To {email}', { email }) : t('Not set up')}
    </StateRow>
  );
}

function Backups({ backups, canChange }: { backups: Administration['backups']; canChange: boolean }) {
  const backUp = useBackUp();
  const { folder, made_at: made, failing_since: failing } = backups;
  return (
    <StateRow
      Icon={Archive}
      title={t('Backups')}
      action={
        folder ? (
          <Button
            look="outline"
            size="small"
            disabled={!canChange}
            busy={backUp.isPending}
            onClick={() => backUp.mutate()}
          >
            {backUp.isPending ? t('Backing up...') : t('Back up now')}
          </Button>
        ) : undefined
      }
      below={
        <Attempt attempt={backUp} failure={t("The backup couldn't be made.")} success={t('The backup is made.')} />
      }
    >
      {made === null ? t('None yet') : t('Last one: {time}', { time: momentText(made) })}
      {failing !== null && (
        <p className="font-medium text-over-text">
          {t('Daily backups have failed since {time}. The log says why.', { time: momentText(failing) })}
        </p>
      )}
      {!folder && <p>{t('Set {name} for daily backups.', { name: 'BACKUP_DIR' })}</p>}
    </StateRow>
  );
}

function Jobs({ jobs }: { jobs: Administration['jobs'] }) {
  const failing = jobs.filter((job) => job.failing).length;
  return (
    <StateRow
      Icon={CalendarClock}
      title={t('Jobs')}
      below={
        jobs.length > 0 && (
          <Disclosure className="mt-1" summary={<span className="text-[14px] font-medium">{t('Show all')}</span>}>
            {/* Failing ones first. Named as in the log, in English. */}
            <ul role="list" className="divide-y divide-line border-y border-line text-[13.5px]">
              {jobs
                .toSorted((one, other) => Number(other.failing) - Number(one.failing))
                .map((job) => (
                  <Job key={job.name} job={job} />
                ))}
            </ul>
          </Disclosure>
        )
      }
    >
      {failing > 0 ? (
        <p className="font-medium text-over-text">
          {t('{count, plural, one {# job is failing} other {# jobs are failing}}. The log says why.', {
            count: failing,
          })}
        </p>
      ) : (
        t('{count, plural, one {# job, as planned} other {# jobs, all as planned}}', { count: jobs.length })
      )}
    </StateRow>
  );
}

const Job = ({ job: { name, failing, last_run_at: run } }: { job: Administration['jobs'][number] }) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
    <span lang="en" dir="ltr">
      {name}
    </span>
    <span className={`figures ${failing ? 'font-medium text-over-text' : 'text-muted'}`}>
      {run === null
        ? t('Not yet [[job]]')
        : failing
          ? t('Failed {time}', { time: momentText(run) })
          : t('Done {time}', { time: momentText(run) })}
    </span>
  </li>
);

const Versions = ({ versions }: { versions: Administration['versions'] }) => (
  <StateRow Icon={Server} title={t('Versions')}>
    <span dir="ltr" className="inline-block">
      {/* oxlint-disable-next-line hourshare/text-in-catalog -- names and numbers, the same in every language */}
      HourShare {versions.hourshare} · Node.js {versions.node} · {versions.database} · {versions.migration}
    </span>
  </StateRow>
);
