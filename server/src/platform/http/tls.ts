import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { codeOf, messageOf } from '../database/error-details.ts';
import { StartupError } from '../startup-error.ts';
import type { serverOptions } from './server-options.ts';

/** Where the certificate with its chain, and its private key, are. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

/** What the files contain, as PEM. */
export interface Credentials {
  cert: Buffer;
  key: Buffer;
}

/** How often the files are read again. Unlike watching them, it also notices links that were replaced in any folder of the path. */
const RENEW_MILLISECONDS = 10_000;
const HANDSHAKE_MILLISECONDS = 10_000;

const PROTOCOL = {
  minVersion: 'TLSv1.2',
  // Those of TLS 1.3, and of TLS 1.2 what has forward secrecy and authenticated encryption; the strongest first.
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
  honorCipherOrder: true,
} as const;

/** Returns a certificate and its key, or throws a StartupError that says what is wrong with the files. */
export async function readCredentials({ certFile, keyFile }: TlsFiles): Promise<Credentials> {
  const [cert, key] = await Promise.all([read('TLS_CERT_FILE', certFile), read('TLS_KEY_FILE', keyFile)]);
  const certificate = parse(() => new X509Certificate(cert), 'TLS_CERT_FILE', 'a certificate in PEM format');
  const privateKey: KeyObject = parse(
    () => createPrivateKey(key),
    'TLS_KEY_FILE',
    'a private key in PEM format without a passphrase',
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new StartupError(
      'TLS_KEY_FILE must be the path of the private key of the certificate in TLS_CERT_FILE, and that key belongs to another one.',
    );
  parse(() => createSecureContext({ cert, key, ...PROTOCOL }), 'TLS_CERT_FILE', 'a certificate that OpenSSL can use');
  return { cert, key };
}

async function read(setting: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new StartupError(
      `${setting} must be the path of a file that the server can read (${codeOf(error) ?? messageOf(error)}).`,
      { cause: error },
    );
  }
}

function parse<T>(work: () => T, setting: string, what: string): T {
  try {
    return work();
  } catch (error) {
    throw new StartupError(`${setting} must be the path of ${what}, and that file isn't one (${messageOf(error)}).`, {
      cause: error,
    });
  }
}

/** Returns how Fastify creates a server that speaks HTTPS, with the same timeouts as one that speaks HTTP. */
export const tlsServerFactory =
  (
    credentials: Credentials,
    options: Pick<
      ReturnType<typeof serverOptions>,
      'http' | 'keepAliveTimeout' | 'requestTimeout' | 'connectionTimeout'
    >,
  ) =>
  (listener: RequestListener): Server => {
    const { http, keepAliveTimeout, requestTimeout, connectionTimeout } = options;
    const settings = { ...http, ...credentials, ...PROTOCOL, handshakeTimeout: HANDSHAKE_MILLISECONDS };
    const server = createServer({ ...settings, keepAliveTimeout, requestTimeout }, listener);
    return server.setTimeout(connectionTimeout);
  };

/**
 * Has a server use what the files contain from now on, whenever that changes. Files that can't be used, as while only one of
 * the two has been replaced, leave it as it is. Returns a function that stops this.
 */
export function renewCredentials(
  server: Pick<Server, 'setSecureContext'>,
  files: TlsFiles,
  { cert, key }: Credentials,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): () => void {
  let current = { cert, key };
  let problem: string | undefined;
  const renew = async () => {
    try {
      const found = await readCredentials(files);
      problem = undefined;
      if (found.cert.equals(current.cert) && found.key.equals(current.key)) return;
      server.setSecureContext({ ...found, ...PROTOCOL });
      current = found;
      log.info({ valid_until: new X509Certificate(found.cert).validTo }, 'the certificate was renewed');
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== problem) log.warn({ reason }, "the certificate can't be renewed");
      problem = reason;
    }
  };
  const timer = setInterval(() => void renew(), RENEW_MILLISECONDS).unref();
  return () => clearInterval(timer);
}
