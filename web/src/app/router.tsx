import { CSPProvider } from '@base-ui/react/csp-provider';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { requireLanding, requireSignedOut, requireSignIn } from './guards.ts';
import { currentLanguage } from '../platform/i18n/language.ts';
import { withMessages } from '../platform/i18n/messages.ts';
import { Frame, loadFrame } from './layout/frame.tsx';
import { SignedInOnly, SignedOutOnly } from './layout/only.tsx';
import { LoadFailed } from './layout/load-failed.tsx';
import { PageSpinner } from './layout/page-spinner.tsx';
import {
  addressIn,
  parseCostsSearch,
  parseDialogSearch,
  parseRegisterSearch,
  pathOfAddress,
  paths,
  type AnalyticsSearch,
} from '../platform/paths.ts';

// The content security policy allows no inline styles, which Base UI adds otherwise.
const root = createRootRoute({
  component: () => (
    <CSPProvider disableStyleElements>
      <Outlet />
    </CSPProvider>
  ),
});

const landing = createRoute({
  getParentRoute: () => root,
  path: paths.landing,
  beforeLoad: requireLanding,
  component: lazyRouteComponent(
    withMessages('public', () => import('./pages/landing-page.tsx')),
    'LandingPage',
  ),
});

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  loader: loadFrame,
  component: Frame,
});
const signedOut = createRoute({
  getParentRoute: () => frame,
  id: 'signed-out',
  beforeLoad: requireSignedOut,
  component: SignedOutOnly,
});
const signedIn = createRoute({
  getParentRoute: () => frame,
  id: 'signed-in',
  beforeLoad: requireSignIn,
  component: SignedInOnly,
});

const login = createRoute({
  getParentRoute: () => signedOut,
  path: paths.login,
  validateSearch: (search: Record<string, unknown>): { from?: string } =>
    typeof search['from'] === 'string' ? { from: search['from'] } : {},
  component: lazyRouteComponent(
    withMessages('public', () => import('./pages/login-page.tsx')),
    'LoginPage',
  ),
});
const register = createRoute({
  getParentRoute: () => signedOut,
  path: paths.register,
  validateSearch: parseRegisterSearch,
  component: lazyRouteComponent(
    withMessages('public', () => import('./pages/register-page.tsx')),
    'RegisterPage',
  ),
});
const importLinkPages = withMessages('public', () => import('./pages/link-pages.tsx'));
const invite = createRoute({
  getParentRoute: () => frame,
  path: paths.invite,
  component: lazyRouteComponent(importLinkPages, 'InvitePage'),
});
const claim = createRoute({
  getParentRoute: () => frame,
  path: paths.claim,
  component: lazyRouteComponent(importLinkPages, 'ClaimPage'),
});
const forgotPassword = createRoute({
  getParentRoute: () => frame,
  path: paths.forgotPassword,
  component: lazyRouteComponent(importLinkPages, 'ForgotPasswordPage'),
});
const resetPassword = createRoute({
  getParentRoute: () => frame,
  path: paths.resetPassword,
  component: lazyRouteComponent(importLinkPages, 'ResetPasswordPage'),
});
const confirmEmail = createRoute({
  getParentRoute: () => frame,
  path: paths.confirmEmail,
  component: lazyRouteComponent(importLinkPages, 'ConfirmEmailPage'),
});
const unsubscribe = createRoute({
  getParentRoute: () => frame,
  path: paths.unsubscribe,
  component: lazyRouteComponent(importLinkPages, 'UnsubscribePage'),
});
const provider = createRoute({
  getParentRoute: () => frame,
  path: paths.provider,
  component: lazyRouteComponent(
    withMessages('public', () => import('./pages/provider-page.tsx')),
    'ProviderPage',
  ),
});
const terms = createRoute({
  getParentRoute: () => frame,
  path: paths.terms,
  component: lazyRouteComponent(
    withMessages('documents', () => import('./pages/terms-page.tsx')),
    'TermsPage',
  ),
});
const privacy = createRoute({
  getParentRoute: () => frame,
  path: paths.privacy,
  component: lazyRouteComponent(
    withMessages('documents', () => import('./pages/privacy-page.tsx')),
    'PrivacyPage',
  ),
});
const about = createRoute({
  getParentRoute: () => frame,
  path: paths.about,
  component: lazyRouteComponent(
    withMessages('documents', () => import('./pages/about-page.tsx')),
    'AboutPage',
  ),
});

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: paths.dashboard,
  validateSearch: parseDialogSearch,
  component: lazyRouteComponent(
    withMessages('app', () => import('./pages/dashboard/dashboard-page.tsx')),
    'DashboardPage',
  ),
});
const assets = createRoute({
  getParentRoute: () => signedIn,
  path: paths.assets,
  validateSearch: parseDialogSearch,
  component: lazyRouteComponent(
    withMessages('app', () => import('./pages/assets-page.tsx')),
    'AssetsPage',
  ),
});
const shared = createRoute({
  getParentRoute: () => signedIn,
  path: paths.shared,
  validateSearch: parseDialogSearch,
  component: lazyRouteComponent(
    withMessages('app', () => import('./pages/shared-page.tsx')),
    'SharedPage',
  ),
});
const analytics = createRoute({
  getParentRoute: () => signedIn,
  path: paths.analytics,
  validateSearch: (search: Record<string, unknown>): AnalyticsSearch => {
    const { share, asset } = parseDialogSearch(search);
    return {
      ...(share !== undefined && { share }),
      ...(asset !== undefined && { asset }),
      ...(search['view'] === 'owned' && { view: 'owned' }),
    };
  },
  component: lazyRouteComponent(
    withMessages('details', () => import('./pages/analytics/analytics-page.tsx')),
    'AnalyticsPage',
  ),
});
const costs = createRoute({
  getParentRoute: () => signedIn,
  path: paths.costs,
  validateSearch: parseCostsSearch,
  component: lazyRouteComponent(
    withMessages('details', () => import('./pages/costs/costs-page.tsx')),
    'CostsPage',
  ),
});
const renewals = createRoute({
  getParentRoute: () => signedIn,
  path: paths.renewals,
  component: lazyRouteComponent(
    withMessages('plans', () => import('./pages/renewals-page.tsx')),
    'RenewalsPage',
  ),
});
const statement = createRoute({
  getParentRoute: () => signedIn,
  path: paths.statement,
  component: lazyRouteComponent(
    withMessages('details', () => import('./pages/statement-page.tsx')),
    'StatementPage',
  ),
});
const start = createRoute({
  getParentRoute: () => signedIn,
  path: paths.start,
  component: lazyRouteComponent(
    withMessages('app', () => import('./pages/start-page.tsx')),
    'StartPage',
  ),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: paths.settings,
  component: lazyRouteComponent(
    withMessages('account', () => import('./pages/settings-page.tsx')),
    'SettingsPage',
  ),
});
const profile = createRoute({
  getParentRoute: () => signedIn,
  path: paths.profile,
  component: lazyRouteComponent(
    withMessages('account', () => import('./pages/settings-page.tsx')),
    'ProfilePage',
  ),
});
const administration = createRoute({
  getParentRoute: () => signedIn,
  path: paths.administration,
  component: lazyRouteComponent(
    withMessages('account', () => import('./pages/administration-page.tsx')),
    'AdministrationPage',
  ),
});
// Its messages are in every catalog, because any address can lead here.
const NotFoundPage = lazyRouteComponent(() => import('./pages/not-found-page.tsx'), 'NotFoundPage');
const notFound = createRoute({ getParentRoute: () => frame, path: '$', component: NotFoundPage });

// Not in paths.ts: a production build must contain neither the path nor the page.
const developmentOnly = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/styleguide',
        component: lazyRouteComponent(
          withMessages('app', () => import('./pages/styleguide/styleguide-page.tsx')),
          'StyleguidePage',
        ),
      }),
    ]
  : [];

const routeTree = root.addChildren([
  landing,
  ...developmentOnly,
  frame.addChildren([
    signedOut.addChildren([login, register]),
    invite,
    claim,
    forgotPassword,
    resetPassword,
    confirmEmail,
    unsubscribe,
    provider,
    terms,
    privacy,
    about,
    signedIn.addChildren([
      dashboard,
      assets,
      shared,
      analytics,
      costs,
      renewals,
      statement,
      start,
      settings,
      profile,
      administration,
    ]),
    notFound,
  ]),
]);

// True only while the build renders the public pages, where there is no document.
const isPrerendering = import.meta.env.SSR && typeof document === 'undefined';

export const router = createRouter({
  routeTree,
  ...(isPrerendering && { history: createMemoryHistory(), origin: 'http://localhost' }),
  rewrite: {
    input: ({ url }) => {
      url.pathname = pathOfAddress(url.pathname);
      return url;
    },
    output: ({ url }) => {
      url.pathname = addressIn(currentLanguage(), url.pathname);
      return url;
    },
  },
  defaultPreload: 'intent',
  defaultPendingComponent: PageSpinner,
  defaultErrorComponent: LoadFailed,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: !isPrerendering,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
