import { agentIdPattern } from '../../contracts/agents.js';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { isRunId } from '../../contracts/text.js';
import { callerOfKey, type KnownKey } from '../api/admission.js';
import type { Caller } from '../domain/caller.js';
import { keyHash } from '../domain/secrets.js';

export interface Headers {
  readonly authorization?: string | undefined;
  readonly 'x-service-agent'?: string | string[] | undefined;
  readonly 'x-service-run'?: string | string[] | undefined;
}

/** Finds out whose API key it is. @throws Refusal unauthorized, credential_not_supported, agent_not_linked, invalid_request */
export type Identify = (headers: Headers) => Promise<Caller>;

/** Finds the linked agent that a request names. @returns null where it names none. @throws Refusal agent_not_linked */
export type NamedAgent = (workspaceId: string, headers: Pick<Headers, 'x-service-agent'>) => Promise<string | null>;

export function createIdentify(
  findKey: (keyHash: string, begun: () => void) => Promise<KnownKey | undefined>,
  namedAgent: NamedAgent,
): Identify {
  const known = askingTogether(findKey);
  const keyOf = async (secret: string): Promise<KnownKey> => {
    const key = await known(keyHash(secret));
    if (!key) throw new Refusal('unauthorized', 'This API key is not known.');
    return key;
  };

  return async (headers) => {
    const key = await keyOf(bearer(headers.authorization));
    const agent = await namedAgent(key.workspace_id, headers);
    return callerOfKey(key, agent, runOf(headers['x-service-run']));
  };
}

function bearer(authorization: string | undefined): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw new Refusal('unauthorized');
  if (/^(vk|agk)_/.test(token)) throw new Refusal('credential_not_supported');
  if (!token.startsWith('ak_')) throw new Refusal('unauthorized', 'API keys start with ak_.');
  return token;
}

/**
 * Agents are named by their identity or by their token; who may call at all has been found out by then, so the identity is
 * enough. A token of another workspace is no agent of this one.
 * @param find the identity of a linked agent
 */
export function createNamedAgent(
  find: (workspaceId: string, by: { agentId: string } | { tokenHash: string }) => Promise<string | undefined>,
): NamedAgent {
  return async (workspaceId, headers) => {
    const header = headers['x-service-agent'];
    if (header === undefined) return null;
    const text = typeof header === 'string' ? header : '';
    const isToken = /^agt_[0-9A-Za-z]{43}$/.test(text);
    if (!isToken && !agentIdPattern.test(text)) throw new Refusal('agent_not_linked');
    const agent = await find(workspaceId, isToken ? { tokenHash: keyHash(text) } : { agentId: text });
    if (agent === undefined) throw new Refusal('agent_not_linked');
    return agent;
  };
}

export function runOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (!isRunId(header)) {
    throw new Refusal('invalid_request', `x-service-run takes 1 to ${limits.runIdCharacters} printable characters.`);
  }
  return header;
}

/** Looks something up by its name, and calls `begun` once it is about to look: who comes after that is not answered by it. */
type Ask<T> = (name: string, begun: () => void) => Promise<T>;

/**
 * Asks for every request, because a right may have been revoked a moment ago, by another process too.
 * Requests that arrive while a lookup still waits for the database share it: they all arrived before it.
 */
export function askingTogether<T>(ask: Ask<T>): (name: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (name) => {
    const joined = waiting.get(name);
    if (joined) return joined;
    let begun = false;
    const asked = ask(name, () => {
      begun = true;
      waiting.delete(name);
    });
    if (begun) return asked;
    waiting.set(name, asked);
    // A lookup that fails before it begins is not shared with later requests.
    const forget = () => void (waiting.get(name) === asked && waiting.delete(name));
    asked.then(forget, forget);
    return asked;
  };
}
