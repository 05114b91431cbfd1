import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fault, type Fault } from '../../shared/fault.ts';
import type { CertificateFacts, CompanyCertificate } from '../../shared/network.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { writeFileAtomically } from '../market/write-file-atomically.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_CERTIFICATES = 100;
const BLOCK = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

type Why = 'not_pem' | 'unreadable' | 'not_a_ca' | 'expired' | 'not_yet_valid' | 'private_key' | 'too_many';
const unfit = (why: Why, message: string, remedy: string, details: object = {}): Result<never, Fault> => err(fault('certificate_unfit', message, { remedy, details: { why, ...details } }));

const oneLine = (name: string): string => name.split('\n').join(', ');
const factsOf = (one: X509Certificate): CertificateFacts => ({ subject: oneLine(one.subject), issuer: oneLine(one.issuer), fingerprint: one.fingerprint256, validFrom: one.validFromDate.getTime(), validTo: one.validToDate.getTime() });

export interface ReadCertificates {
  readonly pems: readonly string[];
  readonly facts: readonly CertificateFacts[];
}

/**
 * The certificates of a PEM text, each a certificate authority that is valid now. One that is not makes the whole text refused: what is added has to be what was meant.
 * Errors: certificate_unfit with details.why, and details.subject where a certificate is meant.
 */
export const readCertificates = (text: string, now: number): Result<ReadCertificates, Fault> => {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return unfit('private_key', 'This file holds a private key.', 'Give the certificate alone, and keep the key where it belongs.');
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) return unfit('not_pem', 'There is no certificate in PEM form in this.', 'Ask for the file as PEM (Base-64 encoded X.509); it begins with -----BEGIN CERTIFICATE-----. Or convert it: openssl x509 -inform der -in file.cer -out file.pem');
  if (blocks.length > MOST_CERTIFICATES) return unfit('too_many', `This holds ${blocks.length} certificates.`, `Give those of your company alone, at most ${MOST_CERTIFICATES}.`);
  const pems: string[] = [];
  const facts: CertificateFacts[] = [];
  for (const [at, block] of blocks.entries()) {
    let one: X509Certificate;
    try {
      one = new X509Certificate(block);
    } catch {
      return unfit('unreadable', `Certificate ${at + 1} of this cannot be read.`, 'Ask for the file once more; it may have been cut off.', { place: at + 1 });
    }
    const about = factsOf(one);
    const details = { subject: about.subject, validFrom: about.validFrom, validTo: about.validTo };
    if (!one.ca) return unfit('not_a_ca', `${about.subject} is the certificate of one server, not of an authority.`, 'Ask for the certificate of the authority that issued it (the root).', details);
    if (about.validTo < now) return unfit('expired', `${about.subject} was valid until ${new Date(about.validTo).toISOString().slice(0, 10)}.`, 'Ask for its successor.', details);
    if (about.validFrom > now) return unfit('not_yet_valid', `${about.subject} is valid from ${new Date(about.validFrom).toISOString().slice(0, 10)} on.`, 'Check date and time of this computer.', details);
    // a file often holds the same one twice
    if (facts.some((other) => other.fingerprint === about.fingerprint)) continue;
    pems.push(one.toString().trim());
    facts.push(about);
  }
  return ok({ pems, facts });
};

interface Kept {
  readonly about: CompanyCertificate;
  readonly pems: readonly string[];
}

const HEAD = 'Gantry-Company-Certificate: ';

/** The company's certificates: a checked copy in the data folder, so that a moved file breaks nothing. Text before the first certificate says where it came from. */
export class CompanyCertificateFile {
  readonly #folder: string;
  #kept: Kept | null = null;
  #problem: Fault | null = null;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'network');
    this.#load();
  }

  get path(): string {
    return join(this.#folder, 'company-ca.pem');
  }

  get about(): CompanyCertificate | null {
    return this.#kept?.about ?? null;
  }

  get pems(): readonly string[] {
    return this.#kept?.pems ?? [];
  }

  /** why the copy in the data folder is not used; null where there is none, or it is as it was added */
  get problem(): Fault | null {
    return this.#problem;
  }

  /** Errors: file_unreadable, certificate_unfit; what was there stays then. */
  async set(source: { readonly path: string } | { readonly pem: string; readonly name: string }, now: number): Promise<Result<CompanyCertificate, Fault>> {
    const text = 'pem' in source ? ok(source.pem) : readSource(source.path);
    if (!text.ok) return text;
    const read = readCertificates(text.value, now);
    if (!read.ok) return err({ ...read.error, field: 'pem' in source ? '/pem' : '/path' });
    const about: CompanyCertificate = { name: 'pem' in source ? source.name : source.path, addedAt: now, certificates: [...read.value.facts] };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    await writeFileAtomically(this.path, `${HEAD}${JSON.stringify({ name: about.name, addedAt: now })}\n${read.value.pems.join('\n')}\n`, 0o600);
    this.#kept = { about, pems: read.value.pems };
    this.#problem = null;
    return ok(about);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.#kept = null;
    this.#problem = null;
  }

  /** One that has run out since stays and is shown so: OpenSSL refuses what it signs. */
  #load(): void {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#problem = damaged(String((error as NodeJS.ErrnoException).code));
      return;
    }
    try {
      const head = JSON.parse(text.slice(HEAD.length, text.indexOf('\n'))) as { name?: unknown; addedAt?: unknown };
      const found = (text.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
      if (!text.startsWith(HEAD) || typeof head.name !== 'string' || typeof head.addedAt !== 'number' || found.length === 0 || found.some((one) => !one.ca)) throw new Error('not as written');
      this.#kept = { about: { name: head.name, addedAt: head.addedAt, certificates: found.map(factsOf) }, pems: found.map((one) => one.toString().trim()) };
    } catch {
      this.#problem = damaged('content');
    }
  }
}

const damaged = (cause: string): Fault => fault('file_unreadable', 'The copy of the company certificate in the data folder cannot be read; it is not used.', { remedy: 'Add the certificate again.', details: { cause } });

const readSource = (path: string): Result<string, Fault> => {
  const unreadable = (cause: string, message: string): Result<never, Fault> => err(fault('file_unreadable', message, { field: '/path', remedy: 'Check the path, and that this user may read the file.', details: { cause } }));
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return unreadable('not_a_file', `${path} is not a file.`);
    if (stat.size > MOST_BYTES) return unfit('too_many', `${path} is larger than a file of certificates is.`, 'Give the certificate of your company alone.');
    return ok(readFileSync(path, 'latin1'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return code === 'ENOENT' ? unreadable('absent', `There is no file ${path}.`) : code === 'EACCES' || code === 'EPERM' ? unreadable('permission', `${path} may not be read.`) : unreadable(code, `${path} cannot be read (${code}).`);
  }
};
