import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import standardLicenses from 'spdx-license-list/full.js';
import { spdxId } from './packages.mjs';

// Writes the notices of everything in a release that others made. Hand-written because generate-license-file and
// license-checker add 100 packages, and neither fills in the license of a package that ships none.

/** Licenses of programs that a package contains in compiled form and doesn't mention. @type {Record<string, [program: string, license: string]>} */
const COMPILED_IN = { '@electric-sql/pglite': ['PostgreSQL', 'PostgreSQL'] };

const NOTICE = /^(?!.*\.[cm]?[jt]s$)(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

/**
 * @typedef {{
 *   name: string, version: string, license: string, author?: string | { name: string },
 *   repository?: string | { url: string },
 * }} Manifest
 */

/** @param {string} folder @returns {Manifest} */
export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** @param {string} folder */
const ownTexts = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && NOTICE.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());

/**
 * Returns the standard text of a license, with the author's name if it has a place for one.
 *
 * @param {string} id as SPDX calls it @param {string} [author]
 */
export function standardText(id, author) {
  const standard = standardLicenses[id];
  if (!standard) throw new Error(`A package without a license file is under "${id}", which SPDX doesn't list.`);
  const text = standard.licenseText.replace('<year> <copyright holders>', () => author ?? '<copyright holders>');
  if (text.includes('<copyright holders>')) throw new Error(`A package under ${id} names neither license nor author.`);
  return text.trim();
}

/**
 * Returns the notices of installed packages, in the format of the web app's list of licenses.
 *
 * @param {string[]} folders of packages, in the order of the result
 */
export function packageNotices(folders) {
  const packages = folders.map((folder) => ({ ...readManifest(folder), texts: ownTexts(folder) }));
  const repository = (/** @type {Manifest} */ { repository: at }) => (typeof at === 'object' ? at.url : at);
  return packages.map((each) => {
    // The binaries for each platform ship no license, unlike the package they belong to.
    const sibling = packages.find((one) => one.texts.length > 0 && repository(one) === (repository(each) ?? ''));
    const author = typeof each.author === 'object' ? each.author.name : each.author?.replace(/ *[<(].*$/, '');
    const texts = [each.texts, sibling?.texts ?? []].find((found) => found.length > 0) ?? [
      standardText(spdxId(each.license), author),
    ];
    const notice = `## ${each.name} - ${each.version} (${spdxId(each.license)})\n\n${texts.join('\n\n')}\n`;
    const [program, license = ''] = COMPILED_IN[each.name] ?? [];
    return program ? `${notice}\n## ${program}, in ${each.name} (${license})\n\n${standardText(license)}\n` : notice;
  });
}
