import type { NamedFile } from './http.ts';

/** Long enough for any browser to have begun to read it. */
const KEPT_MS = 60_000;

/** Hands a file to the browser, which saves it or asks where. */
export function saveFile({ name, content }: NamedFile): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
