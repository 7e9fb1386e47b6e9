import type { Statement, StatementLine } from '@hourshare/contract/statements';
import { t } from '../../platform/i18n/messages.ts';
import { classes } from '../../ui/class-names.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import {
  calculations,
  explanationText,
  isSelfEvident,
  roundingText,
  silencesTexts,
  sourcesText,
} from './explanation.ts';
import { lineName, type Reader } from './rules.ts';

interface HowCalculatedProps {
  statement: Statement;
  /** Those that are explained: a member's own, or everyone's. */
  lines: StatementLine[];
  reader: Reader;
  className?: string;
}

/** Exact calculations, closed for members, who read their own in a sentence before it, and open for those who see everyone's. */
export function HowCalculated({ statement, lines, reader, className }: HowCalculatedProps) {
  const isOwn = reader === 'self';
  const entries = lines.map((line) => ({
    line,
    exact: calculations(statement, line),
    sources: statement.measured ? sourcesText(line) : null,
  }));
  const rounding = roundingText(statement, lines);
  const silences = silencesTexts(statement);
  const hasEntries = entries.some(({ exact, sources }) => exact.length > 0 || sources !== null);
  if (isOwn && !hasEntries && silences.length === 0) return null;
  return (
    <Disclosure
      open={!isOwn}
      summary={<span className="text-[15px] font-semibold">{t('How this was calculated')}</span>}
      className={classes('statement-calculations', className)}
    >
      <ul role="list" className="grid gap-2 text-[14px] text-muted">
        {entries.map(({ line, exact, sources }) => (
          <li
            key={line.id ?? line.username}
            className="flex flex-wrap justify-between gap-x-4 [overflow-wrap:anywhere]"
          >
            {!isOwn &&
              (isSelfEvident(line) && exact.length > 0 ? (
                <p className="min-w-0">
                  <bdi>{lineName(line, reader)}</bdi>
                </p>
              ) : (
                <p className="basis-full">{explanationText(statement, line, reader)}</p>
              ))}
            {exact.map((text) => (
              <p key={text} className={classes('figures min-w-0', !isOwn && 'ms-auto text-end text-ink')}>
                {text}
              </p>
            ))}
            {sources !== null && <p className="figures basis-full">{sources}</p>}
          </li>
        ))}
        {rounding !== null && <li>{rounding}</li>}
        {silences.map((text) => (
          <li key={text} className="figures [overflow-wrap:anywhere]">
            {text}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
