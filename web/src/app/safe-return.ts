import { paths } from '../lib/paths.ts';

// Only ever compared with: which origin it is does not matter, only whether an address leaves it.
const HERE = 'https://here.invalid';

// Browsers drop tabs and line ends from addresses and read a backslash as a slash, so that none of these may stand in
// one that is to stay here.
// oxlint-disable-next-line no-control-regex
const TRICKS = /[\u0000-\u0020\\]/;

/** Where to go after signing in: the given path when it is one of this app, else the dashboard. */
export function safeReturn(from: unknown): string {
  if (typeof from !== 'string' || !from.startsWith('/') || TRICKS.test(from)) return paths.dashboard;
  try {
    const url = new URL(from, HERE);
    const path = `${url.pathname}${url.search}${url.hash}`;
    // "/.//evil" resolves to the path "//evil", which on its own would be another host.
    if (url.origin !== HERE || path.startsWith('//')) return paths.dashboard;
    return path;
  } catch {
    return paths.dashboard;
  }
}
