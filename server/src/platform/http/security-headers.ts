import type { FastifyInstance } from 'fastify';

/**
 * Returns the headers of every response, including those sent before there is a request: nothing loads from elsewhere,
 * nothing inline runs, no page may be framed, and text can't become script (Trusted Types).
 */
export function securityHeaders({ https }: { https: boolean }): Record<string, string> {
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
  return {
    'content-security-policy': policy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    // Browsers ignore it over plain http; it must be there behind a proxy that terminates TLS.
    ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // Attackers could use the filter in old browsers to disable single scripts.
    'x-xss-protection': '0',
  };
}

export function setSecurityHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(headers);
  });
}
