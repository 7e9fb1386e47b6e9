import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { About } from './about.tsx';

afterEach(cleanup);

it('says how costs are split, in the sentences that open the document', async () => {
  const file = join(import.meta.dirname, '../../../../docs/how-costs-are-split.md');
  const sentences = [...readFileSync(file, 'utf8').matchAll(/^\d\. (.*)$/gm)].map(([, text = '']) =>
    text.replaceAll('**', ''),
  );
  fakeServer(() => ({ status: 200, json: { contact: null } }));
  await renderInRouter(<About />);
  expect(sentences).toHaveLength(6);
  expect(
    within(screen.getByRole('list'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(sentences);
});
