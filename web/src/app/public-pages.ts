/** What the build writes into the head of a public page. */
export interface PageHead {
  title: () => string;
  description: () => string;
}

/** A public page as the build renders it. */
export interface RenderedPage {
  name: string;
  path: string;
  title: string;
  description: string;
  html: string;
}
