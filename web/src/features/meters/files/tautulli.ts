import '../../../platform/forms/zod-without-eval.ts';
import { z } from 'zod';
import { toRows, type FileRows } from './rows.ts';

const seconds = z.coerce.number().int().positive();

const Played = z.object({
  friendly_name: z.string().nullish(),
  user: z.string().nullish(),
  started: seconds,
  stopped: seconds,
  /** Seconds without pauses, as newer and older versions call them. */
  play_duration: seconds.optional().catch(undefined),
  duration: seconds.optional().catch(undefined),
});

/** The answer of `get_history`, what its table exports, or a list of its rows. */
const History = z.union([
  z.array(z.unknown()),
  z
    .object({ response: z.object({ data: z.object({ data: z.array(z.unknown()) }) }) })
    .transform((all) => all.response.data.data),
  z.object({ data: z.object({ data: z.array(z.unknown()) }) }).transform((all) => all.data.data),
  z.object({ data: z.array(z.unknown()) }).transform((all) => all.data),
]);

/** Returns the rows of a history of Tautulli; undefined of other JSON. What is still playing is skipped. */
export function readTautulli(json: unknown): FileRows | undefined {
  const history = History.safeParse(json);
  if (!history.success) return undefined;
  const played = history.data.flatMap((row) => Played.safeParse(row).data ?? []);
  if (played.length === 0 && history.data.length > 0) return undefined;
  return toRows(
    'tautulli',
    played.map((row) => {
      const length = row.play_duration ?? row.duration ?? row.stopped - row.started;
      return {
        name: row.friendly_name || row.user || '',
        from: row.started * 1000,
        to: (row.started + Math.min(length, Math.max(0, row.stopped - row.started))) * 1000,
      };
    }),
    history.data.length - played.length,
  );
}
