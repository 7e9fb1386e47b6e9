import { paths } from '../../platform/paths.ts';

/** A placeholder for an unknown token. */
export const TOKEN_PLACEHOLDER = 'hs_YOUR_TOKEN';

/** Returns the address of the page with one button, which is the same for everyone who has access to the asset. */
export const startAddress = (assetId: number, origin = window.location.origin): string =>
  `${origin}${paths.start.replace('$assetId', String(assetId))}`;

/** Quotes a text for POSIX shells: "it's" → 'it'\''s'. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the shell command that starts or ends a session of a share. */
export function curlLine(
  verb: 'start' | 'end',
  { shareId, token, origin = window.location.origin }: { shareId: number; token: string; origin?: string },
): string {
  // oxlint-disable-next-line hourshare/text-in-catalog -- a header's name and scheme
  const header = shellQuoted(`Authorization: Bearer ${token}`);
  return `curl -X POST -H ${header} ${shellQuoted(`${origin}/api/shared-assets/${shareId}/${verb}/`)}`;
}
