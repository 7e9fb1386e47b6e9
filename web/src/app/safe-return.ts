import { paths } from '../platform/paths.ts';

// A placeholder origin: only used to detect whether a path leaves it.
const BASE_URL = 'https://here.invalid';

// Browsers strip tabs and line breaks from URLs and read a backslash as a slash, which can turn a path into another
// host.
// oxlint-disable-next-line no-control-regex
const UNSAFE_CHARACTERS = /[\u0000-\u0020\\]/;

/** Returns the given path if it stays in this app, otherwise the dashboard. */
export function safeReturn(from: unknown): string {
  if (typeof from !== 'string' || !from.startsWith('/') || UNSAFE_CHARACTERS.test(from)) return paths.dashboard;
  try {
    const url = new URL(from, BASE_URL);
    const path = `${url.pathname}${url.search}${url.hash}`;
    // "/.//evil" resolves to the path "//evil", which is another host on its own.
    if (url.origin !== BASE_URL || path.startsWith('//')) return paths.dashboard;
    return path;
  } catch {
    return paths.dashboard;
  }
}
