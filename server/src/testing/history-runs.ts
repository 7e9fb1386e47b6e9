/** Returns how many random histories to try: HISTORIES times as many as usual. */
export const historyRuns = (usual: number): number => usual * Number(process.env['HISTORIES'] ?? 1);

/** Only catches hangs. */
export const HISTORY_MILLISECONDS = 1_800_000;
