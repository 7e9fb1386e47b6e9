import type { NamedFile } from './call.ts';

/** Gives the browser time to start reading the file. */
const REVOKE_DELAY_MS = 60_000;

/** Downloads a file in the browser. */
export function saveFile({ name, content }: NamedFile): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY_MS);
}
