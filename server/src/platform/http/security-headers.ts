import type { FastifyInstance } from 'fastify';

/** Below these addresses, only the API's interactive description is a page, which has its own headers. */
const NO_PAGES = ['/api/', '/static/'];

/**
 * Returns the headers of what is no page, including answers sent before there is a request, and those of pages and of the service
 * worker, which has the policy of its file. Pages load nothing from elsewhere, run nothing inline, can't be framed, and text can't
 * become script (Trusted Types).
 */
export function securityHeaders({ https }: { https: boolean }): Record<'data' | 'pages', Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ];
  const data: Record<string, string> = {
    // Each answer has them, so they are short: a file that is opened by itself runs and loads nothing.
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    // Browsers ignore it over plain http; it must be there behind a proxy that terminates TLS.
    ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  const pages = {
    ...data,
    'content-security-policy': policy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-permitted-cross-domain-policies': 'none',
    // Attackers could use the filter in old browsers to disable single scripts.
    'x-xss-protection': '0',
  };
  return { data, pages };
}

/** By address, because browsers keep the headers of a page that is answered with 304. */
export function setSecurityHeaders(app: FastifyInstance, { data, pages }: ReturnType<typeof securityHeaders>): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(NO_PAGES.some((folder) => request.url.startsWith(folder)) ? data : pages);
  });
}
