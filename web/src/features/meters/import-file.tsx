import type { ImportAnswer, ImportedName, Meter } from '@hourshare/contract/meters';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { formatHours, formatNumber } from '../../platform/format/numbers.ts';
import { dayText } from '../../platform/format/time.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { formattingLocale } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { takeFocus } from '../../ui/focus.ts';
import { Select } from '../../ui/select.tsx';
import { useShowAll } from '../../ui/show-all.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { announce } from '../../ui/toasts.ts';
import type { MeterKey } from './api.ts';
import type { Columns, FileProblem, FileRows, Reading, Table } from './files/read-file.ts';
import { useImport, usePreviewImport } from './import-api.ts';
import { hoursByMember, lossesOf, problemText, reasonText } from './import-text.ts';

/** Loaded with the first file, because few import any. */
const loadReader = () => import('./files/read-file.ts');
const loadOrder = () => import('./files/times.ts');

type State =
  | { step: 'choose'; problem?: FileProblem | 'not_loaded' }
  | { step: 'reading' }
  | { step: 'columns'; name: string; table: Table; columns: Columns; problem?: FileProblem }
  | { step: 'preview'; name: string; file: FileRows }
  | { step: 'done'; answer: ImportAnswer };

/** Imports use from a file into a meter, for those who manage it. */
export function ImportFile({ assetId, meter }: { assetId: number; meter: Meter }) {
  const key = { assetId, meterId: meter.id };
  const [state, setState] = useState<State>({ step: 'choose' });
  const input = useRef<HTMLInputElement>(null);
  const section = useRef<HTMLElement>(null);
  const preview = usePreviewImport(key);
  const place = async () => ({
    now: serverNow(),
    order: (await loadOrder()).orderIn(formattingLocale()),
  });
  // What was pressed is gone.
  const { step } = state;
  useEffect(() => {
    if (step !== 'choose' && step !== 'reading') takeFocus(section.current);
  }, [step]);

  const take = (name: string, reading: Reading) => {
    if (reading.kind === 'problem') setState({ step: 'choose', problem: reading.problem });
    else if (reading.kind === 'table')
      setState({ step: 'columns', name, table: reading.table, columns: reading.likely });
    else {
      setState({ step: 'preview', name, file: reading });
      preview.mutate({ rows: reading.rows });
    }
  };
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // The same file can be chosen again.
    if (!file) return;
    preview.reset();
    setState({ step: 'reading' });
    try {
      const { readFile } = await loadReader();
      take(file.name, await readFile(file, await place()));
    } catch {
      setState({ step: 'choose', problem: 'not_loaded' });
    }
    target.value = '';
  };
  const readTable = async ({ name, table, columns }: Extract<State, { step: 'columns' }>) => {
    const { readChosen } = await loadReader();
    const reading = readChosen(table, columns, await place());
    if (reading.kind === 'problem') setState({ step: 'columns', name, table, columns, problem: reading.problem });
    else take(name, reading);
  };
  const again = () => {
    preview.reset();
    setState({ step: 'choose' });
  };

  return (
    <section ref={section} tabIndex={-1} aria-label={t('Import a file')} className="grid gap-3 outline-none">
      <input ref={input} type="file" hidden onChange={(event) => void choose(event)} />
      {step === 'choose' && (
        <>
          <p className="text-small text-muted">
            {t(
              'From Netflix, Toggl, Clockify, Jellyfin, Tautulli, evcc, a calendar, or any table. Only names and times leave your browser.',
            )}
          </p>
          {state.problem === 'not_loaded' && <Banner>{t("Couldn't read the file. Please try again.")}</Banner>}
          {state.problem !== undefined && state.problem !== 'not_loaded' && (
            <Banner>{problemText(state.problem)}</Banner>
          )}
          <div>
            <Button
              look="outline"
              size="small"
              icon={<Upload aria-hidden size={16} />}
              onClick={() => input.current?.click()}
            >
              {t('Choose a file')}
            </Button>
          </div>
        </>
      )}
      {step === 'reading' && <Spinner label={t('Reading the file')} className="py-3" />}
      {step === 'columns' && (
        <ChooseColumns
          table={state.table}
          columns={state.columns}
          problem={state.problem}
          onChange={(columns) => setState({ ...state, columns })}
          onContinue={() => void readTable(state)}
          onCancel={again}
        />
      )}
      {step === 'preview' && (
        <Preview
          meter={meter}
          name={state.name}
          file={state.file}
          preview={preview}
          meterKey={key}
          onDone={(answer) => {
            setState({ step: 'done', answer });
            announce(doneText(answer, meter.members));
          }}
          onCancel={again}
        />
      )}
      {step === 'done' && (
        <>
          <p>{doneText(state.answer, meter.members)}</p>
          <div>
            <Button size="small" look="outline" onClick={again}>
              {t('Done')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

interface ChooseColumnsProps {
  table: Table;
  columns: Columns;
  problem: FileProblem | undefined;
  onChange: (columns: Columns) => void;
  onContinue: () => void;
  onCancel: () => void;
}

/** Asks which columns are meant; nothing leaves the browser before that. */
function ChooseColumns({ table, columns, problem, onChange, onContinue, onCancel }: ChooseColumnsProps) {
  const options = table.columns.map((text, index) => ({ value: String(index), text: text || formatNumber(index + 1) }));
  const fields = [
    { part: 'name', label: t('Who [[column]]') },
    { part: 'start', label: t('Start [[column]]') },
    { part: 'end', label: t('End [[column]]') },
  ] as const;
  return (
    <>
      {problem !== undefined && <Banner>{problemText(problem)}</Banner>}
      <div className="grid gap-3 sm:grid-cols-3">
        {fields.map(({ part, label }) => (
          <Select
            key={part}
            label={label}
            hint={table.lines[0]?.[columns[part]]?.slice(0, 60) || undefined}
            value={String(columns[part])}
            options={options}
            onChange={(value) => onChange({ ...columns, [part]: Number(value) })}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2.5">
        <Button size="small" onClick={onContinue}>
          {t('Continue')}
        </Button>
        <Button size="small" look="plain" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </>
  );
}

interface PreviewProps {
  meter: Meter;
  meterKey: MeterKey;
  name: string;
  file: FileRows;
  preview: ReturnType<typeof usePreviewImport>;
  onDone: (answer: ImportAnswer) => void;
  onCancel: () => void;
}

function Preview({ meter, meterKey, name, file, preview, onDone, onCancel }: PreviewProps) {
  const run = useImport(meterKey);
  // Stays in view while it is asked for again.
  const [last, setLast] = useState<ImportAnswer>();
  const answer = preview.data ?? last;
  const match = (name: string, shareId: number | null) => {
    setLast(answer);
    preview.mutate({ rows: file.rows, match: { name, shareId } });
  };
  const counts = answer?.names.some(({ parts }) =>
    parts.some(({ result }) => result === 'counted' || result === 'waiting'),
  );
  const days = file.rows.map(({ start }) => start).toSorted();
  return (
    <>
      <p className="text-small text-muted">
        {t('{file}: {count, plural, one {# row} other {# rows}}, {first} to {last}', {
          file: name,
          count: file.rows.length,
          first: dayText(days[0] ?? ''),
          last: dayText(days.at(-1) ?? ''),
        })}
        {file.skipped > 0 && (
          <>
            {' · '}
            {t('{count, plural, one {# left out} other {# left out}} [[rows]]', { count: file.skipped })}
          </>
        )}
      </p>
      {!answer && preview.isPending && <Spinner label={t('Checking what counts')} className="py-3" />}
      {preview.isError && (
        <Banner onRetry={() => preview.mutate({ rows: file.rows })}>
          {errorText(preview.error) || t("Couldn't check what counts. Please try again.")}
        </Banner>
      )}
      {answer && (
        <>
          <Names names={answer.names} members={meter.members} isBusy={preview.isPending} onMatch={match} />
          <Outcome answer={answer} members={meter.members} />
        </>
      )}
      {run.isError && <Banner>{errorText(run.error) || t("Couldn't import the file. Please try again.")}</Banner>}
      {answer && counts === false && <Banner tone="note">{t('Nothing in it is new.')}</Banner>}
      <div className="flex flex-wrap gap-2.5">
        <Button
          size="small"
          busy={run.isPending}
          busyText={t('Importing...')}
          disabled={!answer || counts === false || preview.isPending}
          onClick={() => run.mutate(file.rows, { onSuccess: onDone })}
        >
          {t('Import [[a file]]')}
        </Button>
        <Button size="small" look="plain" disabled={run.isPending} onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </>
  );
}

const NOBODY = '';
/** More would push what follows off the screen. */
const MAX_SHOWN = 8;

interface NamesProps {
  names: ImportedName[];
  members: Meter['members'];
  isBusy: boolean;
  onMatch: (name: string, shareId: number | null) => void;
}

/** Who is meant by each name. */
function Names({ names, members, isBusy, onMatch }: NamesProps) {
  // Those of whom nothing is known come first, and stay in place while someone chooses.
  const [first] = useState(() => new Set(names.flatMap((each) => (each.share_id === null ? each.external_name : []))));
  const sorted = names.toSorted(
    (one, other) => Number(first.has(other.external_name)) - Number(first.has(one.external_name)),
  );
  const { shown, itemProps, showAll } = useShowAll(sorted, MAX_SHOWN);
  const options = [
    { value: NOBODY, text: t('Nobody') },
    ...members.map(({ share_id: id, username }) => ({ value: String(id), text: username })),
  ];
  return (
    <div>
      <ul role="list" aria-busy={isBusy || undefined} className="grid gap-3 sm:grid-cols-2">
        {shown.map(({ external_name: name, share_id: id, rows, hours }, index) => (
          <li key={name} {...itemProps(index)} className="min-w-0 [overflow-wrap:anywhere]">
            <Select
              label={name}
              hint={t('{count, plural, one {# row} other {# rows}}, {hours}', {
                count: rows,
                hours: formatHours(hours),
              })}
              value={id === null ? NOBODY : String(id)}
              options={options}
              onChange={(value) => onMatch(name, value === NOBODY ? null : Number(value))}
            />
          </li>
        ))}
      </ul>
      {showAll}
    </div>
  );
}

/** What counts for whom, and what doesn't, and why. */
function Outcome({ answer, members }: { answer: ImportAnswer; members: Meter['members'] }) {
  const hours = hoursByMember(answer, members);
  const losses = lossesOf(answer);
  return (
    <>
      {hours.length > 0 && (
        <FiguresTable
          dense
          caption={t('Hours by member')}
          titles={[t('Member'), t('New [[hours]]'), t('Known [[hours]]'), t('Waiting [[hours]]')]}
        >
          {hours.map(({ name, counted, known, waiting }) => (
            <FiguresRow key={name} name={<bdi>{name}</bdi>}>
              <Figure>{formatHours(counted)}</Figure>
              <Figure>{formatHours(known)}</Figure>
              <Figure>{formatHours(waiting)}</Figure>
            </FiguresRow>
          ))}
        </FiguresTable>
      )}
      {losses.length > 0 && (
        <FiguresTable dense caption={t("What doesn't count")} titles={[t("Doesn't count"), t('Rows'), t('Hours')]}>
          {losses.map(({ reason, rows, hours: lost }) => (
            <FiguresRow key={reason} name={reasonText(reason)}>
              <Figure>{formatNumber(rows)}</Figure>
              <Figure>{formatHours(lost)}</Figure>
            </FiguresRow>
          ))}
        </FiguresTable>
      )}
    </>
  );
}

function doneText(answer: ImportAnswer, members: Meter['members']): string {
  const sums = hoursByMember(answer, members);
  const sum = (part: 'counted' | 'waiting') => formatHours(sums.reduce((all, each) => all + each[part], 0));
  return sums.some(({ waiting }) => waiting > 0)
    ? t('Imported: {hours}. Waiting: {waiting}.', { hours: sum('counted'), waiting: sum('waiting') })
    : t('Imported: {hours}.', { hours: sum('counted') });
}
