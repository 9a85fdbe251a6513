import { createHash } from 'node:crypto';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { KeyView } from '../../projections/account/queries.js';
import type { Caller } from '../domain/caller.js';

export interface Headers {
  readonly authorization?: string | undefined;
  readonly 'x-service-agent'?: string | string[] | undefined;
  readonly 'x-service-run'?: string | string[] | undefined;
}

/** Finds out who calls. @throws Refusal unauthorized, credential_not_supported, agent_not_linked, invalid_request */
export type Identify = (headers: Headers) => Promise<Caller>;

/** A key that was revoked keeps working for this long in a process that has just seen it; it saves a query a request. */
const rememberMs = 1000;
const rememberedKeys = 10_000;

/** Only the SHA-256 of a key is stored: keys are 256 random bits, so there is nothing to guess and no need to be slow. */
export function keyHash(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

export function createIdentify(
  findKey: (secretHash: string) => Promise<KeyView | undefined>,
  now: () => Date,
): Identify {
  const remembered = new Map<string, { key: KeyView; until: number }>();

  async function keyOf(secret: string): Promise<KeyView> {
    const hash = keyHash(secret);
    const known = remembered.get(hash);
    if (known && known.until > now().getTime()) return known.key;
    const key = await findKey(hash);
    if (!key) {
      remembered.delete(hash);
      throw new Refusal('unauthorized', 'This API key is not known.');
    }
    if (remembered.size >= rememberedKeys) remembered.clear();
    remembered.set(hash, { key, until: now().getTime() + rememberMs });
    return key;
  }

  return async (headers) => {
    const key = await keyOf(bearer(headers.authorization));
    if (headers['x-service-agent'] !== undefined) throw new Refusal('agent_not_linked');
    return {
      workspaceId: key.workspace_id,
      actor: {
        type: 'key',
        id: key.id,
        user_id: key.user_id,
        agent_id: key.agent_id,
        app_id: key.app_id ?? key.name,
        run_id: runOf(headers['x-service-run']),
      },
      scopes: key.scopes,
      namespaceIds: key.namespace_ids,
    };
  };
}

function bearer(authorization: string | undefined): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw new Refusal('unauthorized');
  if (/^(vk|agk)_/.test(token)) throw new Refusal('credential_not_supported');
  if (!token.startsWith('ak_')) throw new Refusal('unauthorized', 'API keys start with ak_.');
  return token;
}

function runOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (Array.isArray(header) || !/^[\x20-\x7e]+$/.test(header) || header.length > limits.runIdCharacters) {
    throw new Refusal('invalid_request', `x-service-run takes 1 to ${limits.runIdCharacters} printable characters.`);
  }
  return header;
}
