import type { Statement } from '@hourshare/contract/statements';
import { TriangleAlert } from 'lucide-react';
import { t } from '../../platform/i18n/messages.ts';
import { durationText, hoursOf } from './rules.ts';
import { UseStrip } from './use-strip.tsx';

/** Why an hour cost less than usual: together, members used more hours than were available. */
export function OverUse({ statement, owned }: { statement: Statement; owned: boolean }) {
  const { used_seconds, available_seconds, lines } = statement;
  if (!lines.some(({ explanation }) => explanation.some(({ kind }) => kind === 'overused'))) return null;
  const extra = durationText(used_seconds - available_seconds);
  return (
    <section
      aria-labelledby="over-use"
      className="statement-over-use mt-5 grid items-center gap-x-8 gap-y-3 rounded-card border border-over p-4 print:border-line-strong @2xl:grid-cols-[minmax(0,1fr)_264px]"
    >
      <div>
        <h3 id="over-use" className="flex items-center gap-2 font-semibold text-over-text">
          <TriangleAlert aria-hidden size={17} className="shrink-0" />
          {t('{hours} more than available', { hours: extra })}
        </h3>
        <p className="mt-1 text-[14px] text-muted">
          {t(
            '{used} used in total = {available} available + {extra} extra. The price is divided by the hours used, so the charges never exceed it.',
            { used: durationText(used_seconds), available: durationText(available_seconds), extra },
          )}
        </p>
      </div>
      {owned && <UseStrip statement={{ ...statement, offered_hours: hoursOf(available_seconds) }} />}
    </section>
  );
}
