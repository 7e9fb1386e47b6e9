import pg from 'pg';

const { builtins } = pg.types;
const int8Array = 1016;
const dateArray = 1182;
const textArray = 1009;

function wholeNumber(text: string): number {
  const value = Number(text);
  // Ids and cents stay far below 2^53; a silently rounded one would be another row's id.
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds ${text}, which is no exact number here.`);
  return value;
}

// oxlint-disable-next-line no-unsafe-type-assertion -- its types know neither this column type nor what it becomes
const readTexts = pg.types.getTypeParser(textArray as number, 'text') as (text: string) => (string | null)[];

const readWholeNumbers = (text: string): (number | null)[] =>
  readTexts(text).map((item) => (item === null ? null : wholeNumber(item)));

const readText = (text: string): string => text;

/**
 * How columns arrive in the code, on both engines: bigint as number, date as 'YYYY-MM-DD' (a day has no time zone, so no
 * Date), timestamptz as Date. numeric stays text, also the sum() of bigints: cast it in the query.
 */
export const columnReaders: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === builtins.INT8) return wholeNumber;
      if (oid === builtins.DATE) return readText;
      if (oid === int8Array) return readWholeNumbers;
      if (oid === dateArray) return readTexts;
    }
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};
