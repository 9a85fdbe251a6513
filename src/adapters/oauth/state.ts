import { createHash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { oauthPaths, oauthSeconds } from '../../../contracts/oauth.js';
import { ClockInDoubt, certainTime, type World } from '../../base/world.js';
import { StoreFull, StoreUnavailable } from '../../database/database.js';
import type { ReadAccessToken } from './access-tokens.js';
import type { Library } from './library.js';
import {
  clientsWithoutGrant,
  consumeRow,
  findRow,
  noteGrant,
  putRow,
  removeGrant,
  removeRow,
  type StateDatabase,
} from './rows.js';

/** The reason why the authorization server ends a grant. */
export type EndReason = 'client' | 'replayed_token';

/** The grants of people, which are entries of their workspaces. */
export interface Grants {
  /** Whether tokens may be issued: the grant is not revoked, has not expired, and its person and agent are still there. */
  isLive(grantId: string): Promise<boolean>;
  /** Ends a grant in its workspace. A grant that has ended already is left as it is. */
  end(grantId: string, reason: EndReason): Promise<void>;
}

export interface StateParts {
  readonly database: StateDatabase;
  readonly world: Pick<World, 'now' | 'doubt'>;
  readonly issuer: string;
  readonly grants: Pick<Grants, 'end'>;
  readonly readAccessToken: ReadAccessToken;
}

/** The prefix under which the library receives access tokens: it takes tokens that look like JWTs for those of others. */
export const accessTokenPrefix = 'access-token:';

/** Secrets of clients have 64 random characters, so a plain hash of one does not help to guess it. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret, 'utf8').digest('hex');

/** Gives the library the state of a model, in the database that all processes share. */
export function createState(library: Library, parts: StateParts): (model: string) => Adapter {
  return (model) => {
    if (model === 'Session') return withoutState;
    if (model === 'AccessToken') return ofAccessTokens(parts.readAccessToken);
    return guarded(library, ofRows(library, model, parts));
  };
}

const nothing = async () => undefined;

/** The library has no sessions: each request of a client asks a person, who signs in to the service only. */
const withoutState: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

/** Access tokens are stored nowhere. They are found by their signature, when a client revokes one. */
function ofAccessTokens(read: ReadAccessToken): Adapter {
  return {
    ...withoutState,
    async find(value) {
      if (!value.startsWith(accessTokenPrefix)) return undefined;
      const claims = await read(value.slice(accessTokenPrefix.length));
      if (!claims) return undefined;
      const { id: jti, grantId, clientId, memberId: accountId, issuedAt: iat, expiresAt: exp } = claims;
      return { jti, kind: 'AccessToken', grantId, clientId, accountId, iat, exp };
    },
  };
}

function ofRows(library: Library, model: string, parts: StateParts): Adapter {
  const { database, world, issuer, grants } = parts;
  const find = (id: string) => database.read((tx) => findRow(tx, model, id, world.now()));

  /**
   * Whether what was used then may be used once more: a refresh token, for a few seconds. Programs of several windows send it several
   * times, and each of them gets the same successor.
   */
  const mayRepeat = (consumedAt: string): boolean =>
    model === 'RefreshToken' && world.now().getTime() - Date.parse(consumedAt) < oauthSeconds.repeatedRefresh * 1000;

  async function endGrant(grantId: string, reason: EndReason): Promise<void> {
    // In this order: when the workspace cannot be written, the tokens are still there and the request can be repeated.
    await grants.end(grantId, reason);
    await database.transaction((tx) => removeGrant(tx, grantId));
  }

  return {
    ...withoutState,
    async upsert(id, payload, seconds = oauthSeconds.unusedClient) {
      const keeps = model === 'RefreshToken';
      // A code or a token that begins by a wrong clock would last until the clock has reached its end.
      const now = certainTime(world);
      const expiresAt = new Date(now.getTime() + seconds * 1000);
      const grantId = model === 'Grant' ? id : (payload.grantId ?? null);
      await database.transaction(async (tx) => {
        if (model === 'Client' && (await clientsWithoutGrant(tx, now)) >= limits.oauthClients) {
          throw tooManyClients(library);
        }
        await putRow(tx, model, id, { payload: withoutSecrets(payload), grantId, expiresAt, keeps });
        if (model === 'Grant' && payload.clientId !== undefined) {
          // A client that a person has allowed may ask again after its grant has ended.
          await noteGrant(tx, payload.clientId, id, new Date(expiresAt.getTime() + limits.grantMs));
        }
      });
    },
    async find(id) {
      const row = await find(id);
      if (!row) return undefined;
      const payload: AdapterPayload = JSON.parse(row.payload);
      const { consumedAt } = row;
      return {
        ...payload,
        ...(model === 'Client' ? {} : { jti: id }),
        ...(model === 'Interaction' ? { returnTo: `${issuer}${oauthPaths.authorization}/${id}` } : {}),
        ...(consumedAt === null || mayRepeat(consumedAt)
          ? {}
          : { consumed: Math.floor(Date.parse(consumedAt) / 1000) }),
      };
    },
    async consume(id) {
      if (await database.transaction((tx) => consumeRow(tx, model, id, world.now()))) return;
      // Another request has used it since the library has looked.
      const row = await find(id);
      if (row?.consumedAt && mayRepeat(row.consumedAt)) return;
      if (row?.grantId) await endGrant(row.grantId, 'replayed_token');
      throw new library.errors.InvalidGrant('it was used already');
    },
    async destroy(id) {
      if (model === 'Grant') {
        await endGrant(id, library.default.ctx?.oidc.route === 'revocation' ? 'client' : 'replayed_token');
      } else if (model !== 'RefreshToken' && model !== 'AuthorizationCode') {
        // Tokens and codes are removed with their grant.
        await database.transaction((tx) => removeRow(tx, model, id));
      }
    },
  };
}

/** `jti` and `returnTo` hold the id itself, and are known when the row is found by it. */
function withoutSecrets({ jti: _id, returnTo: _address, client_secret: secret, ...payload }: AdapterPayload): object {
  return secret === undefined ? payload : { ...payload, client_secret: secretHash(secret) };
}

function tooManyClients({ errors }: Library): Error {
  const sentence = 'Too many clients have registered and never been used. Retry in an hour.';
  return Object.assign(new errors.CustomOIDCProviderError('too_many_requests', sentence), {
    statusCode: 429,
    status: 429,
  });
}

/** Makes a failure of the store one that the library passes on: 503, and the client may retry. */
export async function retryable<T>({ errors }: Library, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isPassing = [StoreUnavailable, StoreFull, ClockInDoubt].some((kind) => error instanceof kind);
    if (!isPassing && !(error instanceof Refusal && error.status >= 500)) throw error;
    const sentence = 'The store does not take this now. Retry shortly.';
    const refusal = new errors.CustomOIDCProviderError('temporarily_unavailable', sentence);
    throw Object.assign(refusal, { statusCode: 503, status: 503, cause: error });
  }
}

function guarded(library: Library, adapter: Adapter): Adapter {
  const guard =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      retryable(library, work(...args));
  return {
    ...adapter,
    upsert: guard(adapter.upsert),
    find: guard(adapter.find),
    consume: guard(adapter.consume),
    destroy: guard(adapter.destroy),
  };
}
