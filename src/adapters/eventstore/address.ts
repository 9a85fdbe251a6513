import type { Credentials } from '@eventstore/db-client';
import { WrongSetting } from '../../settings/wrong-setting.js';

export interface Address {
  /** The connection string without its credentials. */
  readonly withoutCredentials: string;
  /** Given to each call. Without them the client does not set deadlines on appends. */
  readonly credentials: Credentials | undefined;
}

const parts = /^(esdb(?:\+discover)?:\/\/)(?:([^:@/?#]+):([^@/?#]*)@)?([^@]*)$/;

/**
 * Takes the credentials out of a connection string, so that no log of the client can show them.
 * @throws WrongSetting, which does not repeat the address
 */
export function readAddress(url: string): Address {
  const [, scheme, user, password, rest] = parts.exec(url.trim()) ?? [];
  if (scheme === undefined || rest === undefined) {
    throw new WrongSetting(
      'EVENTSTORE_URL is wrong: it must be esdb://user:password@host:port, and special characters of the password must be percent-encoded (@ is %40).',
    );
  }
  return { withoutCredentials: scheme + rest, credentials: credentialsOf(user, password, rest) };
}

function credentialsOf(user: string | undefined, password: string | undefined, rest: string): Credentials | undefined {
  if (user !== undefined) return { username: decoded(user), password: decoded(password ?? '') };
  // A connection without TLS sends none of them.
  return /[?&]tls=false(&|$)/i.test(rest) ? { username: 'unused', password: 'none' } : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new WrongSetting('EVENTSTORE_URL is wrong: its user or password is not percent-encoded (% is %25).');
  }
}
