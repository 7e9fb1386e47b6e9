import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { publicPages, type RenderedPage } from './app/public-pages.ts';
import { router } from './app/router.tsx';
import { pageTitle } from './lib/page-title.ts';

// Runs at the end of a build (vite.config.ts), with the browser builds of all libraries: hydration requires identical
// output.

export async function renderPages(): Promise<RenderedPage[]> {
  const pages: RenderedPage[] = [];
  // After a render the router waits for a React transition, which never finishes here.
  const { startTransition } = router;
  for (const [name, { path, title, description }] of Object.entries(publicPages)) {
    router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) });
    router.startTransition = startTransition;
    await router.load();
    const html = renderToString(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    );
    if (!html.includes('<h1')) throw new Error(`${path} was rendered without its content`);
    // The content security policy would drop inline styles.
    if (html.includes(' style=')) throw new Error(`${path} has an inline style: use a class or an attribute`);
    pages.push({ name, path, title: pageTitle(title), description, html });
  }
  return pages;
}
