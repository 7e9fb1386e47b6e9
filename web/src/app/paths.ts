/** The only place where an address of this app is spelled. */
export const paths = {
  landing: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  terms: '/terms',
  privacy: '/privacy',
  about: '/about',
  /** A plain file, made when the app is built. */
  licenses: '/licenses.txt',
  dashboard: '/dashboard',
  assets: '/assets',
  shared: '/shared',
  analytics: '/analytics',
  costs: '/costs',
  statement: '/costs/$assetId/$month',
  settings: '/settings',
  profile: '/profile',
} as const;
