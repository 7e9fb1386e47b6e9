#!/usr/bin/env node
// First, because an old Node.js can't load what the server imports.
import { isRelease, version } from './preflight.cjs';
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

// The command of a release, which also `npm start` and `npm run admin` run there.

const USAGE = `hourshare              starts the server
hourshare admin …      runs an administrator's command, or lists them
hourshare --version    prints the version
hourshare --help       prints this text

Settings are environment variables: see docs/configuration.md. The embedded database is in DATA_DIR, or else in
hourshare-data in your home folder.`;

/** @param {string} sentence @param {number} code @returns {never} */
function refuse(sentence, code) {
  console.error(sentence);
  process.exit(code);
}

/** Returns the default data folder, outside of the release, so that it survives upgrades and npx. */
function defaultDataFolder() {
  let home = '';
  try {
    home = homedir();
  } catch {
    // This user has no entry in the system's list of users, as in some containers.
  }
  if (!isAbsolute(home)) refuse('This user has no home folder; set DATA_DIR to the folder that keeps the data.', 1);
  return join(home, 'hourshare-data');
}

/** Runs a built program in this process, so that signals, exit code and memory are its own. @param {string} name */
async function runProgram(name) {
  // Settings treat empty values as unset.
  if (!['DATA_DIR', 'DATABASE_URL', 'DATABASE_URL_FILE'].some((setting) => process.env[setting]?.trim())) {
    process.env.DATA_DIR = defaultDataFolder();
    if (name === 'main') console.log(`HourShare keeps its data in ${process.env.DATA_DIR}`);
  }
  try {
    const { started } = await import(new URL(`../server/dist/${name}.js`, import.meta.url).href);
    await started;
    // For Type=notify. Node.js can't send to systemd's socket.
    if (name === 'main' && process.env.NOTIFY_SOCKET)
      execFile('systemd-notify', ['--ready'], (error) => {
        if (error) console.error(`systemd-notify failed, so systemd waits in vain (${error.message.trim()}).`);
      });
  } catch (error) {
    const { code, message } = Object(error);
    // A package, or its binary for this platform.
    if (code !== 'ERR_MODULE_NOT_FOUND' && !String(message).startsWith('Cannot find native binding')) throw error;
    const [reason] = message.split(/\n|(?<=\.) /);
    refuse(`HourShare can't run here: ${reason}`, 1);
  }
}

const asked = process.argv.slice(2).join(' ');
if (!isRelease) refuse('This is a checkout of HourShare; run "npm start" or "npm run admin" in it.', 1);
else if (process.argv.length === 2) await runProgram('main');
else if (process.argv[2] === 'admin') {
  process.argv.splice(2, 1);
  await runProgram('admin');
} else if (asked === '--version') console.log(version);
else if (asked === '--help') console.log(USAGE);
else refuse(`Unknown argument "${asked}". Run "hourshare --help".`, 2);
