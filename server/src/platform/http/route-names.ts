import type { FastifyRequest } from 'fastify';

const PAGES = 'pages and files';
const UNKNOWN = 'unknown call';

/** What is served besides calls and pages. */
const OTHERS = new Set(['/healthz', '/readyz', '/metrics', '/api/openapi.json', '/sign-in/:provider']);

/**
 * Returns the pattern of a request's route, such as `/api/assets/{id}/`. There are only as many as the server has
 * routes: never the address itself, which contains ids and the tokens of links.
 */
export function routeName({ routeOptions, method, url }: FastifyRequest): string {
  const { config, url: pattern } = routeOptions;
  if ('endpoint' in config && typeof config.endpoint === 'string')
    return config.endpoint.slice(config.endpoint.indexOf(' ') + 1);
  if (pattern === undefined)
    return (method === 'GET' || method === 'HEAD') && !/^\/api(?:\/|$)/.test(url) ? PAGES : UNKNOWN;
  if (OTHERS.has(pattern)) return pattern;
  return pattern.startsWith('/api/docs') ? '/api/docs/' : PAGES;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns the method of a request, or `other` for the many that no route has. */
export const methodName = ({ method }: FastifyRequest): string => (METHODS.has(method) ? method : 'other');
