import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serverAddress } from '../../src/database/server-address.js';
import { readConfig } from '../../src/settings/config.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-address-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const file = (name: string, mode = 0o600) => {
  const path = join(directory, name);
  writeFileSync(path, `text of ${name}`);
  chmodSync(path, mode);
  return path;
};

const faultOf = (url: string, setting = 'DATABASE_URL'): string => {
  try {
    readConfig({ DATABASE_URL: 'postgres://u@h/d', [setting]: url });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('the address of a PostgreSQL server', () => {
  it('is read as libpq reads it', () => {
    const plain = { port: 5432, ssl: false, options: undefined, enableChannelBinding: false, keyFile: undefined };
    const cases: [string, object][] = [
      ['postgres://u:p@h:5433/d', { host: 'h', port: 5433, user: 'u', password: 'p', database: 'd' }],
      ['postgresql://h/d', { host: 'h', user: undefined, password: undefined, database: 'd' }],
      ['postgres://u:a%23b%2Fc%3Fd%40e%25f@h/d', { host: 'h', user: 'u', password: 'a#b/c?d@e%f', database: 'd' }],
      ['postgres://u:a@b:c@h/d', { host: 'h', user: 'u', password: 'a@b:c', database: 'd' }],
      ['postgres://u@[::1]:5433/d', { host: '::1', port: 5433, user: 'u', password: undefined, database: 'd' }],
      ['postgres:///d?host=/run/pg', { host: '/run/pg', user: undefined, password: undefined, database: 'd' }],
      [
        'postgres://u:p@/d?host=/run/pg&port=5433',
        { host: '/run/pg', port: 5433, user: 'u', password: 'p', database: 'd' },
      ],
      [
        'postgres://u@%2Frun%2Fpg/d?sslmode=require',
        { host: '/run/pg', user: 'u', password: undefined, database: 'd' },
      ],
      ['postgres://x/y?host=h&user=u&password=p&dbname=d', { host: 'h', user: 'u', password: 'p', database: 'd' }],
      ['postgres:///', { host: 'localhost', user: undefined, password: undefined, database: undefined }],
      [
        'postgres://u@h/d?options=-c%20geqo%3Doff',
        { host: 'h', user: 'u', password: undefined, database: 'd', options: '-c geqo=off' },
      ],
    ];
    for (const [url, expected] of cases) {
      expect([url, serverAddress(url)]).toEqual([url, { ...plain, ...expected }]);
      expect(faultOf(url)).toBe('');
    }
  });

  it('is encrypted and checked as the words of libpq say', () => {
    const ca = file('ca.pem');
    const ssl = (query: string) => serverAddress(`postgres://u@h/d${query}`).ssl;
    expect(ssl('')).toBe(false);
    expect(ssl('?sslmode=disable')).toBe(false);
    expect(ssl('?sslmode=require')).toEqual({ rejectUnauthorized: false });
    expect(ssl('?sslmode=verify-full')).toEqual({});
    expect(ssl('?sslmode=verify-full&sslrootcert=system')).toEqual({});
    expect(ssl(`?sslmode=verify-full&sslrootcert=${ca}`)).toEqual({ ca: 'text of ca.pem' });
    const named = { ca: 'text of ca.pem', checkServerIdentity: expect.any(Function) };
    expect(ssl(`?sslmode=verify-ca&sslrootcert=${ca}`)).toEqual(named);
    expect(ssl(`?sslmode=require&sslrootcert=${ca}`)).toEqual(named);
    const own = `&sslcert=${file('own.pem')}&sslkey=${file('own.key')}`;
    expect(ssl(`?sslmode=require${own}`)).toEqual({
      rejectUnauthorized: false,
      cert: 'text of own.pem',
      key: 'text of own.key',
    });
    expect(serverAddress('postgres://u@h/d?sslmode=require&channel_binding=require').enableChannelBinding).toBe(true);
  });

  // Each has hunter2 in its password, or a piece of one.
  it.each([
    ['postgres://u:hunter2#x@h/d', /contains a #: .*%23/],
    ['postgres://u:12#hunter2@h/d', /contains a #/],
    ['postgres://u:hunter2/x@h/d', /behind a slash .*%2F/],
    ['postgres://u:1/hunter2@h/d', /behind a slash/],
    ['postgres://u:1?hunter2@h/d', /behind a slash or a question mark/],
    ['postgres://u:1?hunter2@h', /a parameter that is not known/],
    ['postgres://u:hunter2%@h/d', /% that begins no code/],
    ['postgres://u:hunter2 x@h/d', /white space/],
    ['postgres://u:hunter2', /port that is no number/],
    ['postgres://u:p@h:hunter2/d', /port that is no number/],
    ['postgres://u:hunter2@h,i/d', /several hosts/],
    ['mysql://u:hunter2@h/d', /must be an address postgres:/],
    ['u:hunter2@h/d', /must be an address postgres:/],
    ['postgres://u:hunter2@h/d?sslmode=bogus', /sslmode with a value that is none of disable, require/],
    ['postgres://u:hunter2@h/d?sslmode=prefer', /sslmode=prefer, .*disable, require, verify-ca, verify-full/],
    ['postgres://u:hunter2@h/d?sslmode=allow', /sslmode=allow/],
    ['postgres://u:hunter2@h/d?sslmode=no-verify', /sslmode with a value/],
    ['postgres://u:hunter2@h/d?sslmode=verify-ca', /verify-ca without sslrootcert/],
    ['postgres://u:hunter2@h/d?ssl=true', /the parameter ssl that is not known/],
    ['postgres://u:hunter2@h/d?sslmode=require&sslmode=disable', /sslmode twice/],
    ['postgres://u:hunter2@h/d?sslrootcert=/x', /sslrootcert without sslmode/],
    ['postgres://u:hunter2@h/d?sslmode=require&sslcert=/x', /belong together/],
    ['postgres://u:hunter2@h/d?sslmode=verify-full&sslrootcert=/nowhere', /cannot be read \(ENOENT\): \/nowhere/],
  ])('%s is refused, and nothing of a password is shown', (url, sentence) => {
    for (const setting of ['DATABASE_URL', 'DATABASE_REPLICA_URL']) {
      expect(faultOf(url, setting)).toMatch(sentence);
      expect(faultOf(url, setting)).toMatch(new RegExp(`^${setting} is wrong: .*[^.]\\.$`));
      expect(faultOf(url, setting)).not.toContain('hunter2');
    }
  });

  it('has no key that other users can read', () => {
    const own = `sslmode=require&sslcert=${file('a.pem')}&sslkey=${file('a.key', 0o644)}`;
    expect(faultOf(`postgres://u@h/d?${own}`)).toMatch(/sslkey: .*can be read by other users/);
  });
});

it.each([
  'PORT',
  'HOST',
  'DATA_DIR',
  'KAFKA_PARTITIONS',
  'EVENTSTORE_PREFIX',
  'OPERATORS',
])('%s of white space is refused', (name) => {
  for (const blank of [' ', '\t', ' \n ']) {
    expect(() => readConfig({ [name]: blank })).toThrow(new RegExp(`^${name} is wrong: `));
  }
});

it('secrets may be in files, which the sentence about a wrong one names', () => {
  const secret = (text: string, mode = 0o600) => {
    const path = join(directory, `secret-${Math.random()}`);
    writeFileSync(path, text);
    // Another test in this process may have set a mask, which the mode of a new file is held to.
    chmodSync(path, mode);
    return path;
  };
  const config = readConfig({
    DATABASE_URL_FILE: secret('postgres://u:p@h/d\n'),
    OWNER_PASSWORD_FILE: secret('a long enough password\n'),
    OIDC_ISSUER: 'https://issuer.example',
    OIDC_CLIENT_ID: 'id',
    OIDC_CLIENT_SECRET_FILE: secret('of the client'),
    SMTP_URL_FILE: secret('smtp://u:p@mail.example'),
  });
  expect(config).toMatchObject({
    databaseUrl: 'postgres://u:p@h/d',
    owner: { password: 'a long enough password' },
    oidc: { clientSecret: 'of the client' },
    smtp: { url: 'smtp://u:p@mail.example' },
  });
  expect(() => readConfig({ OWNER_PASSWORD_FILE: secret('short') })).toThrow(
    'OWNER_PASSWORD_FILE is wrong: the text in the file must have at least 12 characters.',
  );
  expect(() => readConfig({ SMTP_URL: 'smtp://h', SMTP_URL_FILE: secret('smtp://h') })).toThrow(
    'SMTP_URL and SMTP_URL_FILE are both set: unset one of them.',
  );
  expect(() => readConfig({ DATABASE_URL_FILE: secret('postgres://h/d', 0o644) })).toThrow(
    /DATABASE_URL_FILE .*chmod 600/,
  );
  expect(() => readConfig({ DATABASE_URL_FILE: '/nowhere' })).toThrow(
    'DATABASE_URL_FILE is wrong: /nowhere cannot be read',
  );
  expect(readConfig({ DATABASE_URL_FILE: '' }).databaseUrl).toBeUndefined();
});

it.each(['EMBEDDINGS_URL', 'ELASTICSEARCH_URL', 'ETH_RPC_URL', 'OIDC_ISSUER'])('%s with a # is refused', (setting) => {
  const given = { EMBEDDINGS_MODEL: 'm', [setting]: 'https://u:12#hunter2@h/' };
  expect(() => readConfig(given)).toThrow(/contains a #/);
  expect(() => readConfig(given)).not.toThrow(/hunter2/);
});
