import { readFileSync } from 'node:fs';

// The product's, which a release has, too. The folders of the source and of the build are equally deep.
const manifest = new URL('../../../package.json', import.meta.url);

/** The version of this server. */
// oxlint-disable-next-line no-unsafe-type-assertion -- every package has a version
export const VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
