/** What the build writes into the head of a public page. */
export interface PageHead {
  title: () => string;
  description: () => string;
}

/** A public page as the build renders it. */
export interface RenderedPage {
  name: string;
  /** The group of its messages, whose catalog it needs besides the public one. */
  messages: string;
  language: string;
  dir: 'ltr' | 'rtl';
  address: string;
  /** The addresses of the page in all languages, this one included. */
  alternates: { language: string; address: string }[];
  title: string;
  description: string;
  html: string;
}
