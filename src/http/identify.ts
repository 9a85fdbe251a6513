import { createHash } from 'node:crypto';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { KnownKey } from '../../projections/account/queries.js';
import type { Caller } from '../domain/caller.js';

export interface Headers {
  readonly authorization?: string | undefined;
  readonly 'x-service-agent'?: string | string[] | undefined;
  readonly 'x-service-run'?: string | string[] | undefined;
}

/** Finds out whose API key it is. @throws Refusal unauthorized, credential_not_supported, agent_not_linked, invalid_request */
export type Identify = (headers: Headers) => Promise<Caller>;

/** A key that was revoked keeps working for this long in a process that has just seen it; it saves a query a request. */
const rememberMs = 1000;
/** From this age on it is asked for again while requests go on with what is known: none of them waits for the answer. */
const refreshMs = 500;
const rememberedKeys = 10_000;

/** Only the SHA-256 of a key is stored: keys are 256 random bits, so there is nothing to guess and no need to be slow. */
export function keyHash(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

export function createIdentify(
  findKey: (secretHash: string) => Promise<KnownKey | undefined>,
  now: () => Date,
): Identify {
  const remembered = new Map<string, { readonly key: KnownKey; readonly asked: number }>();
  /** Requests that come while a key is being looked up wait for the same answer. */
  const asking = new Map<string, Promise<KnownKey | undefined>>();

  function ask(hash: string): Promise<KnownKey | undefined> {
    const underWay = asking.get(hash);
    if (underWay) return underWay;
    const asked = now().getTime();
    const answer = findKey(hash)
      .then((key) => {
        if (remembered.size >= rememberedKeys) remembered.clear();
        if (key) remembered.set(hash, { key, asked });
        else remembered.delete(hash);
        return key;
      })
      .finally(() => asking.delete(hash));
    asking.set(hash, answer);
    return answer;
  }

  async function keyOf(secret: string): Promise<KnownKey> {
    const hash = keyHash(secret);
    const known = remembered.get(hash);
    const age = known ? now().getTime() - known.asked : rememberMs;
    if (known && age < rememberMs) {
      // If it fails, the request that comes when the time is up asks again and tells.
      if (age >= refreshMs) ask(hash).catch(() => undefined);
      return known.key;
    }
    const key = await ask(hash);
    if (!key) throw new Refusal('unauthorized', 'This API key is not known.');
    return key;
  }

  return async (headers) => {
    const key = await keyOf(bearer(headers.authorization));
    requireNoAgent(headers);
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
      role: null,
      memoryApi: key.memory_api,
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

/** @throws Refusal agent_not_linked: no agent can be linked yet */
export function requireNoAgent(headers: Headers): void {
  if (headers['x-service-agent'] !== undefined) throw new Refusal('agent_not_linked');
}

export function runOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (Array.isArray(header) || !/^[\x20-\x7e]+$/.test(header) || header.length > limits.runIdCharacters) {
    throw new Refusal('invalid_request', `x-service-run takes 1 to ${limits.runIdCharacters} printable characters.`);
  }
  return header;
}
