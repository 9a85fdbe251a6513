import { grantScopes } from '../../contracts/grants.js';
import { redirectKind } from './oauth-redirect.js';

/** The metadata of a client (RFC 7591 §2), as this server registers it. */
interface ClientMetadata {
  readonly redirect_uris: readonly string[];
  readonly application_type: 'native' | 'web';
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly scope?: string;
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly logo_uri?: string;
  readonly tos_uri?: string;
  readonly policy_uri?: string;
}

/** Metadata that cannot be registered, with a code of RFC 7591 §3.2.2. */
interface RefusedMetadata {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly sentence: string;
}

const grantTypes = ['authorization_code', 'refresh_token'];
const authMethods = ['none', 'client_secret_post', 'client_secret_basic'];
const scopes = ['offline_access', ...grantScopes];
const most = { redirects: 50, nameCharacters: 128, addressCharacters: 2048 };

/**
 * The metadata that is registered for what a client has sent. Values that this server does not support and members that it
 * does not know are left out where the client can work without them.
 */
export function readClientMetadata(sent: Readonly<Record<string, unknown>>): ClientMetadata | RefusedMetadata {
  const redirects = readRedirects(sent.redirect_uris);
  if ('error' in redirects) return redirects;
  const grants = supported(sent.grant_types, grantTypes);
  if (!grants.includes('authorization_code')) {
    return invalid('grant_types must name authorization_code: this server has no other way to a first token.');
  }
  const responses = supported(sent.response_types, ['code']);
  if (responses.length === 0) return invalid('response_types must name code: this server supports no other.');
  const scope =
    typeof sent.scope === 'string' ? scopes.filter((one) => String(sent.scope).split(' ').includes(one)) : [];
  return {
    redirect_uris: redirects.addresses,
    application_type: applicationType(redirects, sent.application_type),
    grant_types: grants,
    response_types: responses,
    token_endpoint_auth_method: authMethod(sent.token_endpoint_auth_method),
    ...(scope.length > 0 && { scope: scope.join(' ') }),
    ...named(sent.client_name),
    ...addresses(sent),
  };
}

const invalid = (sentence: string): RefusedMetadata => ({ error: 'invalid_client_metadata', sentence });

interface Redirects {
  readonly addresses: readonly string[];
  readonly kinds: ReadonlySet<string>;
  /** Whether one is https on this machine. */
  readonly hasSecureLoopback: boolean;
}

function readRedirects(sent: unknown): Redirects | RefusedMetadata {
  const refused = (sentence: string): RefusedMetadata => ({ error: 'invalid_redirect_uri', sentence });
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > most.redirects) {
    return refused(`redirect_uris must be a list of 1 to ${most.redirects} addresses.`);
  }
  const kinds = new Set<string>();
  let hasSecureLoopback = false;
  for (const [index, address] of sent.entries()) {
    const read = typeof address === 'string' ? redirectKind(address) : { fault: 'is not a string' };
    if ('fault' in read) return refused(`redirect_uris[${index}] ${read.fault}.`);
    kinds.add(read.kind);
    hasSecureLoopback ||=
      read.kind === 'https' && /^https:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/?]/i.test(`${address}/`);
  }
  return { addresses: [...new Set(sent.map(String))], kinds, hasSecureLoopback };
}

/** @returns all that this server supports when the client names none */
function supported(sent: unknown, values: readonly string[]): readonly string[] {
  return Array.isArray(sent) && sent.length > 0 ? values.filter((value) => sent.includes(value)) : values;
}

/** Native means that addresses of this machine and private schemes are taken; any port is, for either type. */
function applicationType({ kinds, hasSecureLoopback }: Redirects, sent: unknown): 'native' | 'web' {
  if (!kinds.has('https') || kinds.has('private')) return 'native';
  return sent === 'native' && !hasSecureLoopback ? 'native' : 'web';
}

/** A client that names none authenticates with its secret (RFC 7591 §2). One that names another kind has only PKCE. */
function authMethod(sent: unknown): string {
  if (sent === undefined || sent === null) return 'client_secret_basic';
  return authMethods.find((method) => method === sent) ?? 'none';
}

/** The name is shown to people as a claim of the client, so it is short and has no invisible characters. */
function named(sent: unknown): { readonly client_name?: string } {
  if (typeof sent !== 'string') return {};
  const visible = sent
    .slice(0, 8 * most.nameCharacters)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
  const name = [...visible].slice(0, most.nameCharacters).join('').trim();
  return name === '' ? {} : { client_name: name };
}

function addresses(sent: Readonly<Record<string, unknown>>): Partial<ClientMetadata> {
  const members = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const;
  return Object.fromEntries(
    members.flatMap((member) => {
      const address = sent[member];
      return typeof address === 'string' && isWebAddress(address) ? [[member, address]] : [];
    }),
  );
}

function isWebAddress(address: string): boolean {
  return (
    address.length <= most.addressCharacters &&
    URL.canParse(address) &&
    /^https?:$/.test(new URL(address).protocol) &&
    new URL(address).username === ''
  );
}
