import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import type { Cookies } from '../api/answer.js';
import type { OpenSession } from '../api/session/sessions.js';
import type { Page, PageParts, Visitor } from '../pages/page.js';
import type { Credentials } from './credentials.js';
import type { RouteParts } from './route.js';

/** The parts that mounting the pages needs besides those of a page. */
export interface PageRouteParts extends PageParts, Pick<RouteParts, 'cookies' | 'memoryApi'> {
  readonly credentials: Credentials;
}

/**
 * Counts a request for a page. Pages of the console count for the session, because many people may share an address. A cookie that
 * this service has not signed names no session: its requests count for the address, like those without one.
 * @throws Refusal rate_limited
 */
export async function countPage(
  page: Page,
  request: FastifyRequest,
  { cookies, rateLimits }: Pick<PageRouteParts, 'cookies' | 'rateLimits'>,
): Promise<void> {
  const token = page.access === 'a person' ? await cookies.session.read(request).catch(() => null) : null;
  if (token) await rateLimits.session(token.id);
  else await rateLimits.address(request.ip, 'pages');
}

/** The person who opens the page. @throws Refusal unauthorized, session_expired, csrf */
export async function visitorOf(
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
  { credentials, cookies }: PageRouteParts,
): Promise<Visitor | null> {
  // Before anything else, and also where no one is signed in: another site could sign a person in as someone else.
  credentials.requireSameSite(request);
  try {
    const { caller, session } = await credentials.caller(request);
    if (session) {
      await renew(session, reply, cookies);
      return { caller, session };
    }
  } catch (error) {
    if (page.access === 'a person' || !isWithoutWorkspace(error)) throw error;
  }
  if (page.access === 'a person') throw new Refusal('unauthorized', 'No one is signed in.');
  return null;
}

async function renew(session: OpenSession, reply: FastifyReply, cookies: RouteParts['cookies']): Promise<void> {
  if (session.renewed) void reply.header('set-cookie', await cookies.session.write(session));
}

/** Whether there is no one with a workspace, for whom a page for everyone is all the same. */
const isWithoutWorkspace = (error: unknown): boolean =>
  error instanceof Refusal && (error.status === 401 || error.code === 'no_workspace');

/** The person who opens an address that is no page; null where that is not known, because there is no page for them either. */
export async function anyVisitor(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageRouteParts,
): Promise<Visitor | null> {
  if (!parts.cookies.session.is(request)) return null;
  return visitorOf({ path: '', access: 'anyone' }, request, reply, parts).catch(() => null);
}

/** The person of a session that has begun with this request. */
export async function visitorWith(
  { session }: Cookies,
  request: FastifyRequest,
  { credentials, cookies }: PageRouteParts,
): Promise<Visitor | null> {
  if (!session) return null;
  const [cookie = ''] = (await cookies.session.write(session)).split(';');
  const { method, headers } = request;
  const found = await credentials.caller({ method, headers: { ...headers, cookie, authorization: undefined } });
  return found.session && { caller: found.caller, session: found.session };
}

/** The token of the form that signs out, for a person whose session is in no workspace; null for others. */
export async function signOutToken(
  refusal: Refusal,
  request: FastifyRequest,
  { credentials, formTokens }: PageRouteParts,
): Promise<string | null> {
  if (refusal.code !== 'no_workspace') return null;
  const { id } = await credentials.token(request);
  return formTokens.of(id, '/sign-out');
}
