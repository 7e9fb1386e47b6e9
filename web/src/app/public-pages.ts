import { paths } from '../lib/paths.ts';

/** A public page as the build renders it. */
export interface RenderedPage {
  name: string;
  path: string;
  title: string;
  description: string;
  html: string;
}

/**
 * The pages rendered at build time, so that their content is readable before any script runs. The chunk of a page is
 * found by its file name, `<name>-page.tsx`.
 */
export const publicPages = {
  landing: {
    path: paths.landing,
    title: 'Share the plan, pay for your hours',
    description:
      'HourShare meters who really uses a shared subscription and splits its price to the cent. For friends, families and roommates. Free, without a credit card.',
  },
  about: {
    path: paths.about,
    title: 'About',
    description: 'What HourShare is for, and how to reach whoever runs this server.',
  },
  privacy: {
    path: paths.privacy,
    title: 'Privacy Policy',
    description: 'What HourShare stores about you, who sees it, and what it never does.',
  },
  terms: {
    path: paths.terms,
    title: 'Terms of Service',
    description: 'The terms for using HourShare, in plain words.',
  },
} as const;
