import Bowser from 'bowser';

// Only names that the library lists. It takes names of unknown programs from the User-Agent, where anyone can
// write anything.
const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

const known = (names: Set<string>, name = '') => (names.has(name) ? name : null);

/** Returns the browser and the system that a User-Agent names, if known. */
export function describeDevice(userAgent: string): { browser: string | null; system: string | null } {
  // The library throws on an empty string.
  if (userAgent === '') return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: known(browsers, browser.name), system: known(systems, os.name) };
}
