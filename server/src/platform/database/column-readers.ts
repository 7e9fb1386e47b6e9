import pg from 'pg';

const { builtins } = pg.types;
const int8Array = 1016;
const dateArray = 1182;
const textArray = 1009;

function wholeNumber(text: string): number {
  const value = Number(text);
  // Ids and cents stay far below 2^53. A silently rounded id would be another row's.
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds ${text}, which is no exact number here.`);
  return value;
}

// oxlint-disable-next-line no-unsafe-type-assertion -- the driver's types lack this column type and its result
const readTexts = pg.types.getTypeParser(textArray as number, 'text') as (text: string) => (string | null)[];

const readWholeNumbers = (text: string): (number | null)[] =>
  readTexts(text).map((item) => (item === null ? null : wholeNumber(item)));

const readText = (text: string): string => text;

/**
 * How both engines return columns: bigint as number, date as 'YYYY-MM-DD' because a day has no time zone, timestamptz
 * as Date. numeric stays text, including the sum() of bigints, so queries cast it.
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
