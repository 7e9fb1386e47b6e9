import { LANGUAGES } from '@hourshare/contract/limits';
import type { Language } from './i18n/language.ts';

// The only file with paths of the app; a lint rule enforces this.

export const paths = {
  landing: '/',
  login: '/login',
  register: '/register',
  invite: '/invite/$token',
  claim: '/claim/$token',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  unsubscribe: '/unsubscribe',
  /** Providers redirect here, so it must match what they have registered. */
  provider: '/sign-in/$provider',
  terms: '/terms',
  privacy: '/privacy',
  about: '/about',
  /** A static file written by the build. */
  licenses: '/licenses.txt',
  dashboard: '/dashboard',
  assets: '/assets',
  shared: '/shared',
  analytics: '/analytics',
  costs: '/costs',
  renewals: '/renewals',
  statement: '/costs/$assetId/$month',
  start: '/start/$assetId',
  settings: '/settings',
  profile: '/profile',
  /** Only for administrators. */
  administration: '/administration',
} as const;

/** Pages that are written at build time, with an address in each language: /about in English, /de/about in German. */
const publicPages: ReadonlySet<string> = new Set([paths.landing, paths.about, paths.privacy, paths.terms]);

/** ('/about', 'de') → '/de/about'. Other pages have one address in all languages. */
export function addressIn(language: Language, path: string): string {
  if (language === 'en' || !publicPages.has(path)) return path;
  return path === paths.landing ? `/${language}` : `/${language}${path}`;
}

/** '/de/about' → '/about'. Leaves other addresses as they are. */
export function pathOfAddress(address: string): string {
  const language = LANGUAGES.find((each) => each !== 'en' && `${address}/`.startsWith(`/${each}/`));
  if (language === undefined) return address;
  const path = address.slice(language.length + 1) || paths.landing;
  return publicPages.has(path) ? path : address;
}

/** Returns the link props of a statement's page. */
export const statementPage = (assetId: number, month: string) =>
  ({ to: paths.statement, params: { assetId: String(assetId), month } }) as const;

/** Returns the link props of an invitation's page. */
export const invitePage = (token: string) => ({ to: paths.invite, params: { token } }) as const;

/** The path of an invitation's page, to come back to. */
export const invitePath = (token: string): string => paths.invite.replace('$token', () => encodeURIComponent(token));

/** As `invitePage` and `invitePath`, for the link with which someone joins whose sessions an owner recorded. */
export const claimPage = (token: string) => ({ to: paths.claim, params: { token } }) as const;
export const claimPath = (token: string): string => paths.claim.replace('$token', () => encodeURIComponent(token));

/** Returns the token in an invitation's link or path, whatever was copied with it; undefined if it isn't one. */
export const tokenIn = (link: string): string | undefined => /\/invite\/([\w-]+)/.exec(link)?.[1];
/** Returns the token in a link of the administrator to the registration page. */
export const registerTokenIn = (link: string): string | undefined => /\/register#([\w-]{40,})/.exec(link)?.[1];
export const claimTokenIn = (link: string): string | undefined => /\/claim\/([\w-]+)/.exec(link)?.[1];

/** On the registration page: what the new account accepts along with it. */
export interface RegisterSearch {
  invitation?: string;
  claim?: string;
}

/** Returns the valid parameters of the registration page and drops the rest. */
export function parseRegisterSearch({ invitation, claim }: Record<string, unknown>): RegisterSearch {
  return {
    ...(typeof invitation === 'string' && { invitation }),
    ...(typeof claim === 'string' && { claim }),
  };
}

/** What the analytics page shows: a share, or with `view`, an asset that the user owns. */
export interface AnalyticsSearch {
  share?: number;
  asset?: number;
  view?: 'owned';
}

const tabNames = ['details', 'share', 'sessions', 'analytics', 'usage', 'costs'] as const;
export type TabName = (typeof tabNames)[number];

/** The parts of an owned asset's Costs tab. */
const partNames = ['month', 'split', 'price', 'history'] as const;
export type PartName = (typeof partNames)[number];

/** The search parameters that open a dialog over a page. */
export interface DialogSearch {
  asset?: number;
  share?: number;
  tab?: TabName;
  part?: PartName;
  /** The session to edit on the Sessions tab. */
  session?: number;
  add?: true;
}

export const addAssetDialog: DialogSearch = { add: true };
export const assetDialog = (asset: number, tab: TabName): DialogSearch => ({ asset, tab });
export const shareDialog = (share: number, tab: TabName): DialogSearch => ({ share, tab });

/** On the Costs page: the person whose charges are open; the currency if there are several balances with them. */
export interface CostsSearch {
  person?: string;
  currency?: string;
}

/** Returns the address of a member's own session, open for editing. */
export const sessionDialog = (share: number, session: number): DialogSearch => ({ share, tab: 'sessions', session });

const parseId = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** Returns the valid dialog parameters and drops the rest. */
export function parseDialogSearch(search: Record<string, unknown>): DialogSearch {
  const asset = parseId(search['asset']);
  const share = parseId(search['share']);
  const session = parseId(search['session']);
  const tab = tabNames.find((name) => name === search['tab']);
  const part = partNames.find((name) => name === search['part']);
  return {
    ...(asset !== undefined && { asset }),
    ...(share !== undefined && { share }),
    ...(tab !== undefined && { tab }),
    ...(part !== undefined && { part }),
    ...(session !== undefined && { session }),
    ...(search['add'] === true && { add: true }),
  };
}

/** Returns the valid parameters of the Costs page and drops the rest. */
export function parseCostsSearch(search: Record<string, unknown>): CostsSearch {
  const { person, currency } = search;
  return {
    // The router reads digits as a number.
    ...((typeof person === 'string' || typeof person === 'number') && { person: String(person) }),
    ...(typeof currency === 'string' && { currency }),
  };
}
