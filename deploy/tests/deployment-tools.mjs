import { spawnSync } from 'node:child_process';

// Finds the tools that read the files in deploy/. scripts/ci.mjs reports those that aren't installed.

/** A shell's PATH often lacks the folders of servers. @type {NodeJS.ProcessEnv} */
export const toolEnv = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

/** Arguments with which each tool does nothing but succeed. @type {Record<string, string[]>} */
const VERSION = {
  nginx: ['-v'],
  haproxy: ['-v'],
  caddy: ['version'],
  'systemd-analyze': ['--version'],
  'docker-compose': ['--version'],
  kubectl: ['version', '--client'],
};
export const TOOLS = Object.keys(VERSION);

/** @param {string} tool */
const askVersion = (tool) => spawnSync(tool, VERSION[tool] ?? [], { env: toolEnv, encoding: 'utf8' });

/** @param {string} tool */
export const isInstalled = (tool) => askVersion(tool).status === 0;

/** @param {string} tool @returns {number[]} the numbers of its version, 0 if it isn't installed */
export const versionOf = (tool) =>
  (/\d+(?:\.\d+)+/.exec(askVersion(tool).stdout ?? '')?.[0] ?? '').split('.').map(Number);
