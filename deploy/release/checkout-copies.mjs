import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from '../../scripts/processes.mjs';

const NOT_COPIED = /(?:^|\/)(?:node_modules|dist)$|^(?:\.cache|\.git|data|demo-data|release|test-results)$/;

const scopes = () => readdirSync(join(root, 'node_modules')).filter((name) => /^@(?!hourshare)/.test(name));

/** Copies this checkout's sources, and links its installed packages. @param {string} folder */
export function copyCheckout(folder) {
  cpSync(root, folder, {
    recursive: true,
    filter: (source) => !NOT_COPIED.test(relative(root, source).replaceAll(sep, '/')),
  });
  for (const parent of ['.', '@hourshare', ...scopes()]) {
    const into = join(folder, 'node_modules', parent);
    mkdirSync(into, { recursive: true });
    const names = readdirSync(join(root, 'node_modules', parent)).filter((name) => !/^@|^\.(?!bin$)/.test(name));
    for (const name of names)
      symlinkSync(
        // The copy has workspaces of its own.
        parent === '@hourshare' ? join(folder, name) : join(root, 'node_modules', parent, name),
        join(into, name),
      );
  }
}
