import { Refusal } from '../../contracts/errors.js';
import type { OpenSession, PersonSession, Sessions, SessionToken } from '../api/session/sessions.js';
import type { Caller } from '../domain/caller.js';
import { type Identify, type NamedAgent, runOf } from './identify.js';
import type { Origin, SessionCookie } from './session-cookie.js';

/** The caller, and the session where the caller has no key. */
export interface Identified {
  readonly caller: Caller;
  readonly session: OpenSession | null;
}

/** Finds out who sends a request, by its headers. */
export interface Credentials {
  /** The caller of a key where there is one, otherwise of the session. @throws what `Identify` and `session` throw */
  caller(request: Origin): Promise<Identified>;
  /** @throws Refusal unauthorized, session_expired, csrf */
  session(request: Origin): Promise<OpenSession>;
  /** The token of a session, whether or not the session still lasts. @throws Refusal unauthorized, session_expired, csrf */
  token(request: Origin): Promise<SessionToken>;
  /** The person of a session, who may be a member of no workspace. @throws Refusal unauthorized, session_expired, csrf */
  person(request: Origin): Promise<PersonSession>;
  /** @throws Refusal csrf for a request that a page of another site has made */
  requireSameSite(request: Origin): void;
}

interface Parts {
  readonly byKey: Identify;
  readonly namedAgent: NamedAgent;
  readonly sessions: Pick<Sessions, 'find' | 'person'>;
  readonly cookie: SessionCookie;
  readonly baseUrl: string;
  /** Notes that a key, or a session, was used; the call does not wait for it. */
  readonly noteUse: { readonly key: NoteUse; readonly session: NoteUse };
}

type NoteUse = (id: string) => void;

export function createCredentials(parts: Parts): Credentials {
  const { byKey, namedAgent, sessions, cookie, baseUrl, noteUse } = parts;
  const requireSameSite = (request: Origin) => refuseOtherSites(request, baseUrl);

  async function token(request: Origin): Promise<SessionToken> {
    const read = await cookie.read(request);
    requireSameSite(request);
    return read;
  }

  const using = async <S extends { readonly id: string }>(found: Promise<S>): Promise<S> => {
    const used = await found;
    noteUse.session(used.id);
    return used;
  };
  const session = async (request: Origin) => using(sessions.find(await token(request)));

  return {
    token,
    session,
    person: async (request) => using(sessions.person(await token(request))),
    requireSameSite,
    async caller(request) {
      const { headers } = request;
      if (headers.authorization !== undefined || !cookie.is(request)) {
        const caller = await byKey(headers);
        if (caller.actor.id !== null) noteUse.key(caller.actor.id);
        return { caller, session: null };
      }
      const open = await session(request);
      const { member_id: id, workspace_id: workspaceId, namespace_ids: namespaceIds, role } = open.person;
      const agent = await namedAgent(workspaceId, headers);
      const run_id = runOf(headers['x-service-run']);
      const actor = { type: 'person', id, user_id: id, agent_id: agent, app_id: null, run_id } as const;
      const { memory_api: memoryApi } = open.person;
      return { caller: { workspaceId, actor, scopes: [], namespaceIds, agent, role, memoryApi }, session: open };
    },
  };
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Browsers send a cookie with requests that other sites make, and say in `Origin`, the older ones in `Sec-Fetch-Site`, who
 * does. A client that says neither is no browser, and no page can make it send the cookie of a person.
 * @throws Refusal csrf
 */
function refuseOtherSites({ method, headers }: Origin, baseUrl: string): void {
  if (safe.has(method)) return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) {
    // The page may have been opened by any name of this service: a cookie is sent only to the host that has set it.
    if (typeof origin === 'string' && (origin === new URL(baseUrl).origin || hostOf(origin) === host)) return;
    throw new Refusal('csrf');
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refusal('csrf');
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
