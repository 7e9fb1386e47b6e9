/** Whether to try everything: `npm run test:all` does, other runs try less of what takes minutes. */
export const isThorough = process.env['THOROUGH'] === '1';

/** Returns how many random cases to try: ten times as many in a thorough run. */
export const randomRuns = (usual: number): number => (isThorough ? usual * 10 : usual);

/** Only catches hangs. */
export const HANG_MILLISECONDS = 1_800_000;
