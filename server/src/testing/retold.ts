import type { ErrorAnswer } from '@hourshare/contract/errors';
import { english } from '@hourshare/contract/sentences';

type Said = NonNullable<ErrorAnswer['field_codes']>[string][number];

const tell = ({ code, ...values }: Said, text = ''): string =>
  english(code === 'english_only' ? { english: text } : { code, ...values });

/** Returns an error with its sentences made again of their codes and values, as translations are. */
export function retold({ error, fields, ...rest }: ErrorAnswer): ErrorAnswer {
  const { code, detail = code, params, field_codes: codes } = rest;
  const told =
    codes && Object.entries(codes).map(([name, all]) => [name, all.map((said, i) => tell(said, fields?.[name]?.[i]))]);
  return { error: tell({ code: detail, params }, error), ...(told && { fields: Object.fromEntries(told) }), ...rest };
}
