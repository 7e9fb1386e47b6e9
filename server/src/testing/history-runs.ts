/** How many random histories to try: ten times as many once a CI run, on the embedded engine. */
export const historyRuns = (usual: number): number =>
  process.env['CI'] && !process.env['TEST_DATABASE_URL'] ? usual * 10 : usual;

/** For hangs alone. */
export const HISTORY_MILLISECONDS = 1_800_000;
