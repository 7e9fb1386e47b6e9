import { LANGUAGES } from '@hourshare/contract/limits';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { FirstFrame } from './app/layout/first-frame.tsx';
import type { PageHead, RenderedPage } from './app/public-pages.ts';
import { router } from './app/router.tsx';
import { isRightToLeft, setLanguage, type Language } from './platform/i18n/language.ts';
import { loadMessages, type MessageGroup } from './platform/i18n/messages.ts';
import { pageTitle } from './ui/page-title.ts';
import { addressIn, paths } from './platform/paths.ts';

// Runs at the end of a build (vite.config.ts), with the browser builds of all libraries: hydration requires identical
// output.

interface PublicPage {
  /** The file is `<name>-page.tsx`. */
  name: string;
  messages: MessageGroup;
  path: string;
  loadHead: () => Promise<PageHead>;
}

/** The pages rendered at build time, so that their content is readable before any script runs. */
const publicPages: PublicPage[] = [
  {
    name: 'landing',
    messages: 'public',
    path: paths.landing,
    loadHead: async () => (await import('./app/pages/landing-page.tsx')).landingHead,
  },
  {
    name: 'about',
    messages: 'documents',
    path: paths.about,
    loadHead: async () => (await import('./app/pages/about-page.tsx')).aboutHead,
  },
  {
    name: 'privacy',
    messages: 'documents',
    path: paths.privacy,
    loadHead: async () => (await import('./app/pages/privacy-page.tsx')).privacyHead,
  },
  {
    name: 'terms',
    messages: 'documents',
    path: paths.terms,
    loadHead: async () => (await import('./app/pages/terms-page.tsx')).termsHead,
  },
];

async function renderPage(language: Language, { name, messages, path, loadHead }: PublicPage): Promise<RenderedPage> {
  const address = addressIn(language, path);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  const { title, description } = await loadHead();
  const html = renderToString(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
  if (!html.includes('<h1')) throw new Error(`${address} was rendered without its content`);
  // The content security policy would drop inline styles.
  if (html.includes(' style=')) throw new Error(`${address} has an inline style: use a class or an attribute`);
  const alternates = LANGUAGES.map((each) => ({ language: each, address: addressIn(each, path) }));
  const dir = isRightToLeft() ? 'rtl' : 'ltr';
  return {
    name,
    messages,
    language,
    dir,
    address,
    alternates,
    title: pageTitle(title()),
    description: description(),
    html,
  };
}

export const renderFrame = (): string => renderToStaticMarkup(<FirstFrame />);

export async function renderPages(): Promise<RenderedPage[]> {
  const pages: RenderedPage[] = [];
  // After a render the router waits for a React transition, which never finishes here.
  const { startTransition } = router;
  for (const language of LANGUAGES) {
    setLanguage(language);
    await Promise.all([loadMessages('public'), loadMessages('documents')]);
    for (const page of publicPages) {
      router.startTransition = startTransition;
      pages.push(await renderPage(language, page));
    }
  }
  return pages;
}
