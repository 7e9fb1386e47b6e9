import { gzipSync } from 'node:zlib';

// Values that no one sends in good faith. Texts are encoded where they are used; values sent as they are consist of
// bytes, one character each. See requests.mjs for `<<…>>`.

export const MARKUP = '<svg/onload=alert(1)>';
export const FORMULA = '=HYPERLINK("x")';
/** A header that no response may have. */
export const INJECTED = 'x-injected';

export const bytes = (/** @type {string} */ text) => Buffer.from(text).toString('latin1');
const deep = (/** @type {string} */ open, /** @type {string} */ close) => open.repeat(8000) + close.repeat(8000);

// prettier-ignore
export const TEXTS = [
  '', ' ', '\0', 'a\0b', '\ud800', 'a\udc00\ud800b', '\u202egnp.exe', '\u200b\u200d\ufeff', 'a\u0301'.repeat(500), '😀'.repeat(1000), 'ﬀİıß',
  "' or '1'='1", "'; drop table users;--", '") or 1=1--', '%_%', '\\', MARKUP, '"><script>alert(1)</script>', FORMULA, '@SUM(1)', '-1+1|x',
  '{{7*7}}', '${7*7}', '../../../../etc/passwd', '..\\..\\x', `x\r\n${INJECTED}: 1\r\n\r\n`, '%00', '%0d%0a', '%', 'x'.repeat(10_000),
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'true', '0', '-1', '1e308', '9'.repeat(30),
  'a@b.c', 'a@example.org\nbcc: x@example.org', `${'a'.repeat(250)}@example.org`, '"a b"@example.org', 'a@[127.0.0.1]', 'A@EXAMPLE.ORG',
  'UTC', 'utc', 'posixrules', 'localtime', '../UTC', 'Etc/GMT+12', 'PST8PDT', '<+03>-3', 'GMT+25', 'Pacific/Apia', 'Europe/Nowhere', '+99',
  '1900-01', '2199-12', '2026-13', '0000-01', '2026-1', 'USD', 'usd', 'XAU', 'JPY', 'KWD', '<<name.owner>>', '<<name.former>>',
  '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59-23:59', '<<session.start>>',
  '2026-02-30T00:00:00Z', '1970-01-01T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:00:60Z', '1900-01-01T00:00:00.0000000001Z',
  // Encoded list cursors.
  ...['1773144000000.1', '9999999999999.9007199254740991', '-1.-1', '1e9.1e9', '8640000000000001.1', '.', '0.0', '[1,2]', '{"a":1}'].map(btoa),
  '<<refresh.ended>>', '<<token.owner>>',
];

// prettier-ignore
export const NUMBERS = [
  0, -0, 1, -1, 0.1, 0.001, 1.005, 1e-7, 5e-324, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 9_999_999.995,
  // Numbers as JavaScript wouldn't write them.
  ...['1e999', '-1e999', '-0', '1e-400', '9007199254740993', '9'.repeat(400), '0.1000000000000000000001', '1E2'].map((literal) => `<<#lit.${literal}>>`),
  '<<#line.ours>>', '<<#line.theirs>>', '<<#asset.theirs>>',
];

// prettier-ignore
export const BODIES = [
  '', ' ', '{', '}', '[]', 'null', '"x"', '1', 'true', 'NaN', '{"a":}', "{'a':1}", '{}{}', '{a:1}', '\0', 'a=1&b=2', '{"a":1,}', '/* */{}',
  deep('[', ']'), `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`, `[${'0,'.repeat(30_000)}0]`, `"${'x'.repeat(70_000)}"`, ' '.repeat(65_537),
  '{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"a":1}}}', '{"a":{"__proto__":1}}', '{"":1}', '{"toString":1}',
  '\xef\xbb\xbf{}', '\xff\xfe', '{"name":"\xc3\x28"}', '{"name":"\xed\xa0\x80"}', '{"name":"\xc0\xaf"}', '{"name":"\xf5\x80\x80\x80"}',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>', gzipSync('{}').toString('latin1'),
];

/** `@` is an id that the caller may use. None of these exists. */
// prettier-ignore
export const ODD_IDS = [
  '0', '-1', '1.5', '01', '1e0', '0x1', '9999999999', '9007199254740992', '9223372036854775808', '1'.repeat(30), '1'.repeat(300),
  '0@', '+@', '@.0', '@e0', '%20@', '@%20', '@%00', '@%0a', '@%2f', '@,@', '@|@', '@;x', "@'--", `@%0d%0a${INJECTED}:%201`, '@%23',
  '__proto__', 'constructor', 'null', 'NaN', '[]', '*', '%00', '%ff', '%zz', '%', '%ef%bc%91', '%d9%a3', '..', '%2e%2e', '%252f',
  '%F0%9F%98%80', '{id}', ':id', '%3Cscript%3E', '@/..', '../@',
];

// prettier-ignore
export const IDEMPOTENCY_KEYS = ['', 'a', ' ', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(8000), '\xff\xfe', "'--", '__proto__', ',', bytes('😀')];

/** @type {Record<string, string[]>} */
// prettier-ignore
const HEADER_VALUES = {
  'content-type': [
    '', 'text/plain', 'application/json; charset=utf-16', 'application/json;', 'APPLICATION/JSON', 'multipart/form-data; boundary=x', 'x', '*/*',
    'application/x-www-form-urlencoded', 'application/json, text/plain', 'application/vnd.api+json', 'application/jsonx', '\xff/\xff', 'text/json', 'application/x-protobuf',
    'application/json; charset="', `application/json; ${'a=b;'.repeat(500)}`, 'application/xml', '__proto__',
  ],
  'content-encoding': ['gzip', 'br', 'identity', 'deflate, gzip', 'x'],
  'content-length': ['0', '-1', '1, 1', '0x1', '9'.repeat(30), '', '+2', '99'],
  'transfer-encoding': ['chunked', 'identity', 'gzip, chunked', 'chunked, chunked', 'xchunked', ' chunked'],
  expect: ['100-continue', '200-ok', '', '100-CONTINUE, x'],
  range: ['bytes=0-0', 'bytes=9-1', 'bytes=-99999999999999999999', `bytes=${'0-1,'.repeat(1000)}0-1`, 'x'],
  authorization: ['Basic YTpi', 'Bearer', 'Bearer ', 'bearer x', 'Bearer a b', `Bearer ${'x'.repeat(9000)}`, 'Bearer \xff', 'Bearer a,Bearer b', ''],
  'if-match': ['*', '"x"', 'x'], 'if-none-match': ['*', 'W/""'], 'if-modified-since': ['0', 'Thu, 01 Jan 1970 00:00:00 GMT'], 'if-range': ['"x"'],
  accept: ['text/html', 'application/xml;q=x', '\xff'], 'accept-encoding': ['gzip;q=9, *;q=0'], 'accept-language': [MARKUP],
  'user-agent': ['', '\xff', 'x'.repeat(9000), bytes('😀'), MARKUP], referer: [MARKUP], origin: ['https://evil.example', 'null'],
  'x-http-method-override': ['DELETE'], 'x-original-url': ['/api/me/'], 'x-rewrite-url': ['/api/me/'], 'x-request-id': [MARKUP, '\xff'],
  'x-forwarded-for': ['127.0.0.1, ::1, x'], 'x-forwarded-host': ['evil.example'], 'x-forwarded-proto': ['https'], forwarded: ['for="'],
  cookie: [`access_token=<<token.owner>>; ${'a=b; '.repeat(900)}`], upgrade: ['websocket', 'h2c'], te: ['trailers'], trailer: ['x'],
  host: ['', 'evil.example', 'evil.example:99999', '\xff'], constructor: ['x'],
  x: ['x'.repeat(20_000), 'a\rb', 'a\0b', 'a\n b'], 'x y': ['z'], '': ['x'], 'x\xff': ['x'],
};
/** @type {[name: string, value: string][]} */
export const HEADERS = Object.entries(HEADER_VALUES).flatMap(([name, values]) =>
  values.map((value) => /** @type {[string, string]} */ ([name, value])),
);

export const METHODS = [
  'HEAD',
  'OPTIONS',
  'PUT',
  'TRACE',
  'PROPFIND',
  'get',
  'G@T',
  'X'.repeat(9000),
  'POST',
  'DELETE',
];
export const VERSIONS = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.1 x', ''];

/** Other ways to write an address, some of which might lead elsewhere. @type {Record<string, (target: string) => string>} */
export const TARGETS = {
  'absolute form': (path) => `http://evil.example${path}`,
  'double slash': (path) => `/${path}`,
  'dot segment': (path) => path.replace('/api', '/api/.'),
  'parent segment': (path) => path.replace('/api', '/api/../api'),
  'encoded slash': (path) => path.replace('/api/', '/api%2f'),
  'encoded parent': (path) => path.replace('/api', '/static/%2e%2e/api'),
  backslash: (path) => path.replace('/api/', '/api\\'),
  'upper case': (path) => path.replace('/api/', '/API/'),
  'encoded letter': (path) => path.replace('/api/', '/%61pi/'),
  'no slash at the end': (path) => path.replace(/\/$/, ''),
  'slashes at the end': (path) => `${path}//`,
  'matrix parameter': (path) => path.replace(/\/$/, ';a=b/'),
  fragment: (path) => `${path}#x`,
  'broken escape': (path) => `${path}%zz`,
  'bytes that are no text': (path) => `${path}%ff\xff`,
  NUL: (path) => `${path}%00`,
  space: (path) => `${path} x`,
  'long path': (path) => `${path}${'x'.repeat(14_000)}`,
  'oversized path': (path) => `${path}${'x'.repeat(80_000)}`,
  'many segments': (path) => `${path}${'x/'.repeat(5000)}`,
  'long query': (path) => `${path}?${'a=b&'.repeat(3000)}`,
  'broken query': (path) => `${path}?%zz=%&&=&a[b][c]=1&a[]=2&__proto__[x]=1`,
  'no path': () => '*',
  'no slash at the start': (path) => path.slice(1),
  'header in the path': (path) => `${path}%0d%0a${INJECTED}:%201`,
};
