import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  cert: string;
  key: string;
  /** What a client has to trust: the certificate itself, in PEM format. */
  ca: string;
}

/** Makes a key and a certificate for localhost and 127.0.0.1 that is its own authority, as files in a folder. */
export function makeCertificate(folder: string, name: string): TestCertificate {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}-key.pem`)];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', [...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key, ca: readFileSync(cert, 'utf8') };
}

/** Makes a folder for certificates. */
export function certificateFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-tls-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
