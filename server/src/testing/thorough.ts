/** Whether to try everything: `npm run test:all` does, other runs try less of what takes minutes. */
export const isThorough = process.env['THOROUGH'] === '1';

/** Returns how many random cases to try: ten times as many in a thorough run. */
export const randomRuns = (usual: number): number => (isThorough ? usual * 10 : usual);

/** Returns the rounds of a race, in each of which its calls meet a little later: every second one outside thorough runs. */
export const raceRounds = (count: number): number[] =>
  Array.from({ length: count }, (_, round) => round).filter((round) => isThorough || round % 2 === 0);

/** Only catches hangs. */
export const HANG_MILLISECONDS = 1_800_000;
