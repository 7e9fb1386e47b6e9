import { Ajv2020 } from 'ajv/dist/2020.js';
import { OTLP_CALL } from './otlp.mjs';
import { METER_CALLS, METER_TOKENS } from './requests.mjs';
import { FORMULA, INJECTED, MARKUP } from './values.mjs';

// Judges responses. The OpenAPI document defines what each call may answer; everything else here applies to all
// calls.

/** @typedef {import('./requests.mjs').Request} Request */
/** @typedef {import('./target.mjs').Answer} Answer */

const SECURITY_HEADERS = ['content-security-policy', 'referrer-policy', 'x-content-type-options', 'x-frame-options'];

/** Requests with oversized headers are rejected before routing. */
const BEFORE_THE_CALL = new Set([431]);

/** Internals that only someone with access to our code or logs may know. */
const LEAKS = [
  /\n\s+at |\.[cm]?[jt]s:\d+|node_modules|file:\/\/|(?<![\w.])\/(?:tmp|home|usr|var|opt|work|root)\//,
  /\w_(?:fkey|pkey|key|idx|check)\b|\b(?:relation|column) "|syntax error|invalid input syntax|violates|out of range for|SQLSTATE|duplicate key/i,
  /(?:Zod|Type|Range|Syntax)Error|FST_ERR_|ECONN|PGlite|kysely|fastify|is not a function|Cannot read|\[object /i,
];

/** @param {Answer} answer @param {string} name */
export const headerOf = (answer, name) => answer.headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** What differs between two responses to the same request: a time, an id, and the newest event of the whole server. */
const PER_RESPONSE = /^(?:date|x-request-id|event-id)$/i;

/** Returns the difference between two responses. @param {Answer} one @param {Answer} other @returns {string | undefined} */
function differenceOf(one, other) {
  const lines = (/** @type {Answer} */ { status, headers, body }) => [
    String(status),
    ...headers.filter(([name]) => !PER_RESPONSE.test(name)).map((header) => header.join(': ')),
    body,
  ];
  const [ones, others] = [lines(one), lines(other)];
  const index = ones.findIndex((line, index) => line !== others[index]);
  if (index === -1 && ones.length === others.length) return undefined;
  return `${ones[index]} instead of ${others[index]}`;
}

const isApiPath = (/** @type {string} */ target) => /^(?:http:\/\/[^/]+)?\/api\//.test(target);

/** @param {string} text @returns {any} undefined for anything but JSON */
export function parsed(text) {
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString());
  } catch {
    return undefined;
  }
}

/**
 * Returns functions that judge responses.
 *
 * @param {object} rules
 * @param {any} rules.document the OpenAPI document
 * @param {Record<string, number>} rules.errorStatus the status of every error code
 * @param {(sentence: any) => string} rules.english the sentence of a code and its values
 * @param {string[]} rules.secrets what no response may contain
 * @param {string} rules.foreign part of every name in the other household
 */
export function createJudge({ document, errorStatus, english, secrets, foreign }) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  const errorStatuses = new Set(Object.values(errorStatus));

  /** @param {Answer} answer */
  function errorProblems(answer) {
    const body = parsed(answer.body);
    const type = headerOf(answer, 'content-type');
    if (type !== 'application/json; charset=utf-8') return [`an error of the type ${type}`];
    if (!ajv.validate('api#/components/schemas/Error', body)) return ['an error that is not as documented'];
    const { error, code, detail = code, params, fields = {}, field_codes: codes = {} } = body;
    if (errorStatus[code] !== answer.status) return [`the code ${code} with the status ${answer.status}`];
    const said = [[error, { code: detail, params }]];
    for (const [name, texts] of Object.entries({ ...codes, ...fields }))
      texts.forEach((/** @type {string} */ _, /** @type {number} */ index) =>
        said.push([fields[name]?.[index], codes[name]?.[index]]),
      );
    const isSaid = said.every(([text, by]) =>
      by?.code === 'english_only' ? text?.trim() : by && text === english(by),
    );
    return isSaid ? [] : ['an error that its codes and values do not say'];
  }

  /** @param {Answer} answer @param {Request} request */
  function successProblems(answer, { operation, method, kind }) {
    const [meant = '', path = ''] = operation.split(' ');
    const type = headerOf(answer, 'content-type') ?? '';
    if (answer.status === 204) return answer.body === '' ? [] : ['a body with the status 204'];
    if (method !== meant) return [];
    if (type === 'text/csv; charset=utf-8') {
      const rows = Buffer.from(answer.body, 'latin1').toString();
      const isFile = headerOf(answer, 'content-disposition')?.startsWith('attachment');
      const isHarmless = !rows.split(/[\n,]/).some((cell) => cell.replace(/^"/, '').startsWith(FORMULA.slice(0, 6)));
      return [...(isFile ? [] : ['CSV that is no attachment']), ...(isHarmless ? [] : ['a formula in CSV'])];
    }
    if (type === 'application/zip')
      return headerOf(answer, 'content-disposition')?.startsWith('attachment')
        ? []
        : ['a ZIP file that is no attachment'];
    if (type === 'text/calendar; charset=utf-8')
      return /^BEGIN:VCALENDAR\r\n.*END:VCALENDAR\r\n$/s.test(answer.body) ? [] : ['no whole calendar'];
    if (type.startsWith('text/event-stream'))
      return /^event: (?:ready|reset)\nid: \d+\ndata: \{\}\n\n/.test(answer.body)
        ? []
        : ['a stream without its first event'];
    if (type.startsWith('text/html') && kind === 'wire') return [];
    const isExport = operation === OTLP_CALL;
    if (isExport && type === 'application/x-protobuf') return [];
    if (type !== `application/json${isExport ? '' : '; charset=utf-8'}`) return [`an answer of the type ${type}`];
    const pointer = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      answer.status,
      'content',
      'application/json',
      'schema',
    ]
      .map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.getSchema(`api#/${pointer}`);
    if (!validate || validate(parsed(answer.body))) return [];
    return [`a body that is not as documented: ${ajv.errorsText(validate.errors)}`];
  }

  /** Compares a response with what the caller may do. @param {Request} request @param {Answer} answer */
  function standingProblems(request, answer) {
    const { standing, kind, method } = request;
    const { status } = answer;
    // Outside of the API there are only public pages.
    const isPage =
      !isApiPath(request.target) && (status === 304 || headerOf(answer, 'content-type')?.startsWith('text/html'));
    if (standing !== 'allowed' && status < 400 && !isPage && method !== 'OPTIONS')
      return [`${status} for a caller who may not`];
    if (kind === 'wire' || status === 429) return [];
    const code = parsed(answer.body)?.code;
    const isNotFound = status === 404 && (code === 'not_found' || code === request.missing);
    if (standing === 'refused' && status === 404 && !isNotFound) return ['a 404 that says something exists'];
    if (kind !== 'intact') return [];
    if (standing === 'outsider' && !isNotFound) return [`${status} for a caller for whom there is nothing`];
    if (standing === 'reserved' && code !== 'owner_only') return [`${status} for a call reserved for the owner`];
    if (standing === 'out of scope' && code !== 'token_scope')
      return [`${status} for an access token that may not make the call`];
    if (standing === 'signed out' && (status !== 401 || headerOf(answer, 'www-authenticate') !== 'Bearer'))
      return [`${status} for a caller who is not signed in`];
    // Unknown passkeys are refused, and some minutes after signing in, a caller has to confirm who they are.
    const needsMeter =
      code === 'not_signed_in' && METER_CALLS.includes(request.operation) && !METER_TOKENS.includes(request.caller);
    const isUnproven = needsMeter || ['passkey_refused', 'check_required'].includes(code);
    if (standing === 'allowed' && [401, 403, 404].includes(status) && !isUnproven)
      return [`${status} for a caller who may`];
    return [];
  }

  return {
    /** @param {Request} request @param {string} sent its bytes @param {Answer | undefined} answer @returns {string[]} */
    problemsOf(request, sent, answer) {
      if (!answer) return request.isUnfinished || request.isAbandoned ? [] : ['no answer'];
      if (answer.isCut && answer.isLeft && answer.status < 500) return [];
      const { status, body } = answer;
      const isBare = request.method === 'HEAD' || body === '';
      const isApi = isApiPath(request.target);
      const type = headerOf(answer, 'content-type');
      const [method = '', path = ''] = request.operation.split(' ');
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
      const isDocumented = String(status) in responses || BEFORE_THE_CALL.has(status);
      // Anyone with a link may read what it offers.
      const isShownTheirs =
        request.standing === 'allowed' && /<<(?:claim|link|calendar)\.theirs>>/.test(request.target);
      const missing = SECURITY_HEADERS.filter((name) => !headerOf(answer, name));
      const text = Buffer.from(body, 'latin1').toString();
      const leak =
        status >= 400 &&
        LEAKS.map((pattern) => pattern.exec(text)?.[0]).find((found) => found && !sent.includes(found));

      const problems = [];
      if (status >= 500) problems.push(`the status ${status}`);
      else if (
        !isDocumented &&
        (request.kind !== 'wire' || (status >= (isApi ? 300 : 400) && !errorStatuses.has(status)))
      )
        problems.push(`the status ${status}, which is not documented`);
      if (status >= 400 && !isBare && (isApi || type !== 'text/plain; charset=utf-8'))
        problems.push(...errorProblems(answer));
      if (status < 300 && request.method !== 'HEAD') problems.push(...successProblems(answer, request));
      problems.push(...standingProblems(request, answer));
      if (missing.length > 0) problems.push(`no ${missing.join(', ')}`);
      if (body !== '' && !type) problems.push('no content-type');
      if (isApi && !type?.startsWith('text/calendar') && !/^no-store\b/.test(headerOf(answer, 'cache-control') ?? ''))
        problems.push('no cache-control: no-store');
      if (headerOf(answer, INJECTED)) problems.push('a header that the request injected');
      if (leak) problems.push(`internals: ${leak.trim()}`);
      if (!request.caller.startsWith('other') && !isShownTheirs && text.includes(foreign))
        problems.push('data of the other household');
      if (secrets.some((secret) => text.includes(secret))) problems.push('a secret');
      if (type?.startsWith('text/html') && text.includes(MARKUP)) problems.push('markup that the request sent');
      if (answer.isCut) problems.push('an answer that breaks off');
      // A request that can't be parsed or whose headers are too long has no method yet, so its rejection has a body.
      if (answer.extra && !(request.method === 'HEAD' && (status === 400 || status === 431)))
        problems.push('bytes after the answer');
      return problems;
    },

    /**
     * Returns problems if a response reveals that its subject exists, because the same request about a missing one gets
     * another.
     *
     * @param {Answer | undefined} answer @param {Answer | undefined} absent
     */
    tellingProblems(answer, absent) {
      if (!answer || !absent || answer.status === 429 || absent.status === 429) return [];
      const difference = differenceOf(answer, absent);
      return difference ? [`tells that there is something: ${difference}`] : [];
    },
  };
}

/** With the small heap of target.mjs. */
const MEMORY_GROWTH_MAX_MB = 200;

/** Expected of messages queued in the past, because no mail server listens: the clock has gone on by more than 3 days. */
const GIVEN_UP = 'a message could not be sent for 3 days';

/**
 * Returns the problems that only show after all requests.
 *
 * @param {object} seen
 * @param {Record<string, string>} seen.before what the other household's members read at first
 * @param {Record<string, string>} seen.after and at the end
 * @param {string} seen.log everything that the server has logged
 * @param {Iterable<string>} seen.secrets
 * @param {number} seen.grownMegabytes
 * @param {boolean} seen.isRunning
 * @returns {string[]}
 */
export function problemsAfterwards({ before, after, log, secrets, grownMegabytes, isRunning }) {
  const problems = Object.entries(after)
    .filter(([read, text]) => text !== before[read])
    .map(([read, text]) => `the other household changed, ${read}\n  was ${before[read]}\n  is ${text}`);
  for (const secret of secrets) if (log.includes(secret)) problems.push('a secret in the log');
  const errors = log
    .split('\n')
    .filter((line) => /"level":(?:50|60)\b|unexpected error/.test(line) && !line.includes(GIVEN_UP));
  // Similar errors, which differ only in time and request, are reported once.
  const kinds = new Map(errors.map((line) => [line.replaceAll(/"(?:time|reqId|method|route)":[^,]+/g, ''), line]));
  for (const line of kinds.values()) problems.push(`in the log, one of ${errors.length} errors: ${line}`);
  if (grownMegabytes > MEMORY_GROWTH_MAX_MB) problems.push(`the server grew by ${grownMegabytes.toFixed(0)} MB`);
  if (!isRunning) problems.push('the server has ended');
  return problems;
}
