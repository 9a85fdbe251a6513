import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { emailAddress } from '../../contracts/members.js';
import { defaultVendorPlatforms, fixedPlatforms } from '../../contracts/task-receipt.js';
import { serverAddress, WrongAddress } from '../database/server-address.js';
import { emailKey } from '../domain/email.js';
import { parseVerifierKey } from '../verifier/note.js';
import { Unreadable } from '../verifier/unreadable.js';
import type { Sender, SmtpSetting, WitnessSetting } from './peers.js';
import { type Role, roles } from './roles.js';
import { readSecretFile, UnusableFile } from './secret-file.js';

/** The part after a # is sent to no server. In an address with a password it is a part of that. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((address) => !address.includes('#'), { error: 'contains a #: in a password write %23', abort: true });

/** No message contains a part of the address, which contains a password. */
export const databaseUrl = z.string().superRefine((address, context) => {
  try {
    const { keyFile } = serverAddress(address);
    if (keyFile !== undefined) readSecretFile(keyFile);
  } catch (error) {
    if (!(error instanceof WrongAddress || error instanceof UnusableFile)) throw error;
    context.addIssue(error instanceof UnusableFile ? `has a wrong sslkey: ${error.message}` : error.message);
  }
});

const units = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
export const milliseconds = (duration: string): number =>
  Number(duration.slice(0, -1)) * (units.get(duration.slice(-1)) ?? 0);

export function readCalendars(given: string, context: z.RefinementCtx): string[] {
  if (given === 'off') return [];
  const calendars = given.split(',').map((calendar) => calendar.trim());
  if (calendars.every((calendar) => httpUrl.safeParse(calendar).success)) return calendars;
  context.addIssue('must be off, or http or https addresses, comma separated');
  return z.NEVER;
}

export function readWitnesses(given: string, context: z.RefinementCtx): WitnessSetting[] {
  const witnesses = given.split(',').map((pair) => readWitness(pair.trim()));
  if (witnesses.every((witness) => witness !== undefined)) return witnesses;
  context.addIssue(
    'must be pairs of a verifier key of type cosignature/v1 and an http or https address, a space between, comma separated',
  );
  return z.NEVER;
}

function readWitness(pair: string): WitnessSetting | undefined {
  const [text = '', url, ...more] = pair.split(/\s+/);
  if (more.length > 0 || !httpUrl.safeParse(url).success || url === undefined) return undefined;
  try {
    const key = parseVerifierKey(text);
    return key.type === 'cosignature/v1' ? { key, url } : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

export function readRoles(given: string, context: z.RefinementCtx): Role[] {
  const names = given.split(',').map((name) => name.trim());
  const found = roles.filter((role) => names.includes(role));
  if (found.length === names.length) return found;
  context.addIssue(`must be some of these, each once and comma separated: ${roles.join(', ')}`);
  return z.NEVER;
}

/** Agents are listed under the name of their platform, unless they have a vendor, so a name is short and printable. */
export function readVendorPlatforms(given: string, context: z.RefinementCtx): string[] {
  const names = given.split(',').map((name) => name.trim());
  const different = new Set([...names, ...fixedPlatforms]).size === names.length + fixedPlatforms.length;
  const isRight = names.every((name) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name));
  if (names.length === defaultVendorPlatforms.length && different && isRight) return names;
  context.addIssue(
    `must be ${defaultVendorPlatforms.length} different names, comma separated, each of 1 to 64 characters of A-Z a-z 0-9 . _ -, and none of ${fixedPlatforms.join(', ')}`,
  );
  return z.NEVER;
}

/** Trusting all proxies is not possible, because a client can write any first address into X-Forwarded-For. */
export function readTrustProxy(given: string, context: z.RefinementCtx): false | number | string[] {
  if (given === 'off') return false;
  if (/^[1-9]$/.test(given)) return Number(given);
  const networks = given.split(',').map((network) => network.trim());
  if (networks.every((network) => ipaddr.isValid(network) || ipaddr.isValidCIDR(network))) return networks;
  context.addIssue('must be off, the number of proxies in front, or their addresses (10.0.0.0/8), comma separated');
  return z.NEVER;
}

/** In the form in which addresses are compared. An address that no account can have would leave the service without that operator. */
export function readOperators(given: string, context: z.RefinementCtx): ReadonlySet<string> {
  const addresses = given.split(',').map((one) => one.trim());
  const wrong = addresses.find((one) => !emailAddress.safeParse(one).success);
  if (wrong === undefined) return new Set(addresses.map(emailKey));
  context.addIssue(
    `must be e-mail addresses such as ada@example.org, comma separated, and ${JSON.stringify(wrong)} is none`,
  );
  return z.NEVER;
}

/** As browsers write them in the header Origin: in lower case, and without the usual port. */
export function readOrigins(given: string, context: z.RefinementCtx): string[] {
  if (given.trim() === '*') return ['*'];
  const origins = given.split(',').map((one) => one.trim());
  if (origins.every((one) => URL.canParse(one) && isOnlyOrigin(one))) return origins.map(originIn);
  context.addIssue('must be *, or origins such as https://app.example.org, comma separated');
  return z.NEVER;
}

/** Extensions of browsers have schemes of their own, for which the standard names no origin. */
function originIn(address: string): string {
  const { origin } = new URL(address);
  return origin === 'null' ? address.replace(/\/+$/, '') : origin;
}

export function isOnlyOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password, pathname, search, hash } = new URL(address);
  return (
    [username, password, search, hash].every((part) => part === '') && /^\/*$/.test(pathname) && !/[?#@]/.test(address)
  );
}

/** Requires https or this machine, because an attacker who can change the provider's answers could sign in as any person. */
export function isSafeIssuer(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

export const smtpForm = 'must be smtp://[user:password@]host[:port] or smtps://…';

/** The address of a mail server: nothing but host, port and credentials. */
export function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  const isBare = ['', '/'].includes(pathname) && search === '' && hash === '';
  return ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && isBare;
}

const mailAddress = /^[^\s@<>,;:"()[\]\\]{1,64}@[A-Za-z0-9.-]{1,190}$/;

/** An e-mail address, or a name with the address behind it in angle brackets. Both are written into headers of e-mails. */
export function readSender(text: string, context: z.RefinementCtx): Sender {
  const [, name = '', address = text.trim()] = /^\s*([^<>"\p{C}]{0,100}?)\s*<([^<>]*)>\s*$/u.exec(text) ?? [];
  if (mailAddress.test(address)) return { name, address };
  context.addIssue('must be an e-mail address such as alerts@example.org, or Name <alerts@example.org>');
  return z.NEVER;
}

/** The mail server, with the sender of its e-mails. Without a setting that is `counterfoil@` and the host of the service. */
export function readSmtp(url: string | undefined, from: Sender | undefined, baseUrl: string): SmtpSetting | undefined {
  if (url === undefined) return undefined;
  const { hostname } = new URL(baseUrl);
  const host = ipaddr.isValid(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname;
  return { url, from: from ?? { name: 'Counterfoil', address: `counterfoil@${host}` } };
}
