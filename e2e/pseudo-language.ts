import type { Page } from '@playwright/test';

// A language that no one speaks: English, each word 40 % longer. It takes the place of German, whose catalogs it answers
// for, so that the product knows nothing of it.

const stretched = (text: string): string =>
  text.replace(/\p{L}+/gu, (word) => word + 'ö'.repeat(Math.ceil(word.length * 0.4)));

/** Stretches the text in a compiled message, as icu-minify writes it: not the names of values, tags, and plural forms. */
function stretchedMessage(message: unknown): unknown {
  if (typeof message === 'string') return stretched(message);
  return Array.isArray(message) ? message.map(stretchedNode) : message;
}

function stretchedNode(node: unknown): unknown {
  if (!Array.isArray(node)) return stretchedMessage(node);
  const [name, kind, ...rest] = node;
  if (node.length === 1) return node;
  if (typeof kind !== 'number') return [name, ...node.slice(1).map(stretchedNode)];
  // A plural's forms, or a format.
  return [
    name,
    kind,
    ...rest.map((forms) =>
      typeof forms === 'object' && forms !== null
        ? Object.fromEntries(Object.entries(forms).map(([form, text]) => [form, stretchedMessage(text)]))
        : forms,
    ),
  ];
}

/** From now on, the page speaks the long language. Call it before the page is opened. */
export async function speakAtLength(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('hourshare_language', 'de'));
  await page.route(/\/static\/messages-[^/]*-de-\w[\w-]*\.js$/, async (route) => {
    const answer = await route.fetch({ url: route.request().url().replace('-de-', '-en-') });
    const catalog = JSON.parse((await answer.text()).replace(/^export default /, '')) as Record<string, unknown>;
    const longer = Object.entries(catalog).map(([id, message]) => [id, stretchedMessage(message)]);
    await route.fulfill({
      contentType: 'text/javascript',
      body: `export default ${JSON.stringify(Object.fromEntries(longer))}`,
    });
  });
  // What was rendered in German at build time isn't what is meant here.
  await page.route(/\/de(?:\/\w+)?$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/ data-page="[^"]*"/, '') });
  });
}
