/* oxlint-disable hourshare/text-in-catalog -- names of services */

/** What an asset is for, which gives its tile a tint. */
export const TINTS = ['watch', 'listen', 'work', 'store', 'move', 'learn'] as const;
export type Tint = (typeof TINTS)[number];

/** Services with a mark in styles/marks.css, by their names without spaces. */
export const markedServices = (
  '1password apple applemusic appletv asana audible backblaze bitwarden cloudflare coursera crunchyroll ' +
  'dashlane dazn deezer digitalocean discord dropbox duolingo epicgames evernote expressvpn figma fitbit ' +
  'github gitlab google googledrive grammarly hbo hellofresh icloud jetbrains komoot lastpass miro mubi ' +
  'mullvad netflix newyorktimes nextcloud nordvpn notion obsidian overleaf pandora paramountplus patreon ' +
  'peloton playstation plex proton protonmail protonvpn roblox setapp shopify soundcloud spotify ' +
  'squarespace steam strava substack surfshark tidal todoist trello twitch uber ubisoft udemy viaplay ' +
  'webflow wix wordpress youtube youtubemusic zoom'
).split(' ');

/** What the services are for; the others are for work. */
const servicesByTint: Partial<Record<Tint, string[]>> = {
  watch: (
    'apple appletv crunchyroll dazn epicgames hbo mubi netflix paramountplus playstation plex roblox steam twitch ubisoft ' +
    'viaplay youtube'
  ).split(' '),
  listen: 'applemusic audible deezer pandora soundcloud spotify tidal youtubemusic'.split(' '),
  store: (
    '1password backblaze bitwarden cloudflare dashlane digitalocean dropbox expressvpn googledrive icloud lastpass mullvad ' +
    'nextcloud nordvpn proton protonmail protonvpn surfshark'
  ).split(' '),
  move: 'fitbit hellofresh komoot peloton strava uber'.split(' '),
  learn: 'coursera duolingo newyorktimes patreon substack udemy'.split(' '),
};

export const tintOfService = (service: string): Tint =>
  TINTS.find((tint) => servicesByTint[tint]?.includes(service)) ?? 'work';

const MAX_WORDS = 3;

/**
 * Returns the service in a name ("Netflix family" → "netflix"), or null. Matches whole words regardless of spacing and
 * prefers the longest match, so that "YouTube Music" is not YouTube.
 */
export function findServiceMark(name: string): string | null {
  const words = name
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const found = words
    .flatMap((_, from) => Array.from({ length: MAX_WORDS }, (_none, more) => words.slice(from, from + more + 1)))
    .map((run) => run.join(''))
    .filter((run) => markedServices.includes(run));
  return found.toSorted((left, right) => right.length - left.length)[0] ?? null;
}
