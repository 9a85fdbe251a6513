import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** An address of a PostgreSQL server that cannot be used. The message is the end of a sentence that begins with the name of its setting. */
export class WrongAddress extends Error {
  override name = 'WrongAddress';
}

/** How messages name a server and what is wanted there. They show no password. */
export function shownServer({ host, port, user, database }: ServerAddress) {
  return {
    server: host.startsWith('/') ? `in ${host}` : `${host}:${port}`,
    user: user ?? '',
    database: database ?? user ?? '',
  };
}

/** A PostgreSQL server and a database on it, with the meaning that libpq gives to the parts of such an address. */
export interface ServerAddress {
  /** A directory for a socket of this machine. */
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** False: the connection is not encrypted. */
  readonly ssl: false | ConnectionOptions;
  readonly options: string | undefined;
  readonly enableChannelBinding: boolean;
  /** The file of the key of a client, which other users must not be able to read. */
  readonly keyFile: string | undefined;
}

/** Parameters that replace parts of the address, as in libpq. */
const ofAddress = ['host', 'port', 'user', 'password', 'dbname'] as const;
const others = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'channel_binding', 'options'] as const;
const known: readonly string[] = [...ofAddress, ...others];

/**
 * Reads `postgres://name:password@host:port/database?parameters`. No message contains anything of the address but names of
 * parameters, files, and words for them: a part of a password may be anywhere in an address that is written wrongly.
 * @throws WrongAddress
 */
export function serverAddress(text: string): ServerAddress {
  const [, authority = '', path = '', query = ''] = partsOf(text);
  const given = parametersOf(query);
  const [, credentials = '', place = ''] = /^(?:(.*)@)?(.*)$/s.exec(authority) ?? [];
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(credentials) ?? [];
  const [, named = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place) ?? [];
  const host = hostOf(given.get('host') ?? decoded(named));
  return {
    host,
    port: portOf(given.get('port') ?? port),
    user: filled(given.get('user') ?? decoded(user)),
    password: given.get('password') ?? (password === undefined ? undefined : decoded(password)),
    database: filled(given.get('dbname') ?? decoded(path.replace(/^\//, ''))),
    // As in libpq, a socket of this machine is never encrypted.
    ssl: host.startsWith('/') ? false : sslOf(given),
    options: given.get('options'),
    enableChannelBinding: oneOf(given, 'channel_binding', ['disable', 'prefer', 'require']) === 'require',
    keyFile: given.get('sslkey'),
  };
}

const credentialsForm = 'in the name and the password write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25';

function partsOf(text: string): RegExpExecArray {
  const found = /^postgres(?:ql)?:\/\/([^/?]*)(\/[^?]*)?(?:\?(.*))?$/s.exec(text);
  if (!found) throw new WrongAddress('must be an address postgres://name:password@host:port/database');
  if (text.includes('#')) throw new WrongAddress(`contains a #: ${credentialsForm}`);
  const [, authority = '', path = '', query = ''] = found;
  // Without an @ before the first slash, a slash or a question mark of the password has ended the address too early.
  if (!authority.includes('@') && (path.includes('@') || /@[^=&]*\//.test(query))) {
    throw new WrongAddress(`has an @ behind a slash or a question mark: ${credentialsForm}`);
  }
  if (/[\s\0]/.test(text)) throw new WrongAddress('contains white space: write a blank as %20');
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new WrongAddress(`contains a % that begins no code: ${credentialsForm}`);
  }
}

const filled = (text: string): string | undefined => (text === '' ? undefined : text);

function parametersOf(query: string): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const part of query.split('&').filter((one) => one !== '')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    if (!known.includes(name)) throw new WrongAddress(unknownSentence(name));
    if (given.has(name)) throw new WrongAddress(`has the parameter ${name} twice`);
    given.set(name, decoded(value));
  }
  return given;
}

function unknownSentence(name: string): string {
  // Names of parameters are such words. Anything else may be a piece of a password.
  const shown = /^[a-z_]{1,40}$/i.test(name) ? `the parameter ${name}` : 'a parameter';
  return `has ${shown} that is not known here. It may have ${known.join(', ')}`;
}

function hostOf(host: string): string {
  if (host.includes(',')) throw new WrongAddress('names several hosts: give one, such as that of a proxy before them');
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === '' || /^(\/[^\0]*|[\w.:%-]+)$/.test(bare)) return bare === '' ? 'localhost' : bare;
  throw new WrongAddress(`names a host with characters that no host has: ${credentialsForm}`);
}

function portOf(port: string): number {
  if (port === '') return 5432;
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number >= 1 && number <= 65_535) return number;
  throw new WrongAddress(
    `has a port that is no number from 1 to 65535. If that was a part of the password: ${credentialsForm}`,
  );
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

function oneOf<T extends string>(
  given: ReadonlyMap<string, string>,
  name: string,
  values: readonly T[],
): T | undefined {
  const value = given.get(name);
  if (value === undefined) return undefined;
  const found = values.find((one) => one === value);
  if (found === undefined) throw new WrongAddress(`has ${name} with a value that is none of ${values.join(', ')}`);
  return found;
}

function sslOf(given: ReadonlyMap<string, string>): false | ConnectionOptions {
  const word = given.get('sslmode');
  if (word === 'prefer' || word === 'allow') {
    throw new WrongAddress(
      `has sslmode=${word}, with which a connection may be without encryption unnoticed. Take one of ${modes.join(', ')}`,
    );
  }
  const authorities = given.get('sslrootcert');
  // Authorities are named to be checked. libpq too then takes require for verify-ca.
  const chosen = oneOf(given, 'sslmode', modes);
  const mode = chosen === 'require' && authorities !== undefined ? 'verify-ca' : chosen;
  if (mode === undefined || mode === 'disable') {
    const idle = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => given.has(name));
    if (idle !== undefined) throw new WrongAddress(`has ${idle} without sslmode: add sslmode=verify-full`);
    return false;
  }
  return { ...certificateOf(given), ...checked(mode, authorities) };
}

function checked(mode: 'require' | 'verify-ca' | 'verify-full', authorities: string | undefined): ConnectionOptions {
  if (mode === 'require') return { rejectUnauthorized: false };
  const isSystem = authorities === undefined || authorities === 'system';
  if (mode === 'verify-full') return isSystem ? {} : { ca: fileOf('sslrootcert', authorities) };
  if (isSystem) {
    throw new WrongAddress(
      'has sslmode=verify-ca without sslrootcert: name the file of the authority, or take sslmode=verify-full',
    );
  }
  return { ca: fileOf('sslrootcert', authorities), checkServerIdentity: () => undefined };
}

function certificateOf(given: ReadonlyMap<string, string>): ConnectionOptions {
  const [cert, key] = [given.get('sslcert'), given.get('sslkey')];
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) {
    throw new WrongAddress('has one of sslcert and sslkey: they belong together');
  }
  return { cert: fileOf('sslcert', cert), key: fileOf('sslkey', key) };
}

function fileOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new WrongAddress(`names a file in ${name} that cannot be read (${code}): ${path}`);
  }
}
