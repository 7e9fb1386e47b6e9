// Exits with a message if this Node.js or installation can't run the other scripts. Loaded with `node -r`, or as the first
// import, before modules that an old Node.js can't parse, so Node.js 16 must be able to read it; hand-written because no
// package may be installed yet.

const fs = require('node:fs');
const path = require('node:path');
const project = require('../package.json');

exports.version = project.version;

/** Whether this is a release, which is already built, and not a checkout. */
exports.isRelease = project.devDependencies === undefined;

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Exits unless the app can be built and tested here. A built server doesn't need any of this. */
exports.requireTools = function requireTools() {
  const folder = path.join(__dirname, '..');
  // Vite would parse these characters as parts of a URL.
  if (/[#?]/.test(folder)) refuse(`HourShare can't be built in ${folder}; move it to a path without # or ?.`);
  const modules = path.join(folder, 'node_modules');
  const isMissing = (/** @type {string} */ name) => !fs.existsSync(path.join(modules, name));
  if (Object.keys(project.devDependencies).some(isMissing))
    refuse(
      'Packages that build or test HourShare are missing; run "npm ci --include=dev" (also with NODE_ENV=production).',
    );
};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = project.engines.node.replace('>=', '').split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
  refuse(
    `HourShare needs Node.js ${oldestMajor}.${oldestMinor} or newer, but this is ${process.versions.node}; install a newer version from https://nodejs.org${exports.isRelease ? '' : ', then run "npm ci" again'}.`,
  );

const script = path.basename(process.argv[1] || '');
if (!exports.isRelease && script !== 'start.mjs') exports.requireTools();
