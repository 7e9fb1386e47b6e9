import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configurationPage } from './generated-docs.mjs';
import { root } from '../scripts/processes.mjs';

it.each([['docs/configuration.md', configurationPage]])(
  '%s matches its source; if not, run "npm run generate" and commit it',
  async (file, make) => {
    await expect(make()).toMatchFileSnapshot(join(root, file));
  },
);
