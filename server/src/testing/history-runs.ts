/** Returns how many random histories to try: ten times as many in CI, on the embedded engine only. */
export const historyRuns = (usual: number): number =>
  process.env['CI'] && !process.env['TEST_DATABASE_URL'] ? usual * 10 : usual;

/** Only catches hangs. */
export const HISTORY_MILLISECONDS = 1_800_000;
