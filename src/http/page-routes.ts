import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import type { OpenSession } from '../api/session/sessions.js';
import { type Form, formBytes, readForm } from '../pages/form.js';
import { addressOf } from '../pages/frame/files.js';
import { consoleHeader, type HeaderPerson, personHeader, publicHeader } from '../pages/frame/header.js';
import { layout } from '../pages/frame/layout.js';
import { recordedNote, withReceipt } from '../pages/frame/recorded.js';
import { headerPersonOf } from '../pages/frame/surroundings.js';
import { type Html, html } from '../pages/html.js';
import type { Page, PageAnswer, PageParts, PageRequest, Shown, Visitor } from '../pages/page.js';
import { pages } from '../pages/pages.js';
import { problemPage, refusedPage } from '../pages/refused.js';
import type { Credentials } from './credentials.js';
import { pageHeaders, policies } from './page-headers.js';
import { asRefusal } from './reply.js';
import { clientOf, contentHeaders, type RouteParts, setCookies } from './route.js';

/** The parts that mounting the pages needs besides those of a page. */
export interface PageRouteParts extends PageParts, Pick<RouteParts, 'cookies' | 'memoryApi'> {
  readonly credentials: Credentials;
}

/** Paths of programs. Everything else is opened by people, who get a page when there is nothing. */
const ofPrograms = /^\/(v1|mcp|oauth|\.well-known)(\/|$)/;

/** Whether a request that no route takes is answered with a page. */
export function isForPeople({ method, headers, url }: FastifyRequest): boolean {
  const [path = ''] = url.split('?');
  return ['GET', 'HEAD'].includes(method) && (headers.accept ?? '').includes('text/html') && !ofPrograms.test(path);
}

/** The page for an address at which there is none. */
export function sendNoPage(request: FastifyRequest, reply: FastifyReply, parts: PageRouteParts): Promise<FastifyReply> {
  const shown = problemPage(404, 'Nothing is at this address. It may be mistyped, or have been removed.', '/sign-in');
  return send(shown, request, reply, { parts, visitor: null });
}

/** Serves the pages for people. Everything about them is HTML, refusals too. */
export function addPageRoutes(server: FastifyInstance, parts: PageRouteParts): void {
  for (const page of pages) addPage(server, page, parts);
}

function addPage(server: FastifyInstance, page: Page, parts: PageRouteParts): void {
  const { path: url } = page;
  const visitors = new WeakMap<FastifyRequest, Visitor | null>();
  const taken = [...(page.show ? ['GET'] : []), ...(page.submit ? ['POST'] : [])];
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    refuse(asRefusal(error, request), request, reply, { parts, visitor: visitors.get(request) ?? null });
  server.route<{ Params: Record<string, string> }>({
    method: taken,
    url,
    bodyLimit: page.formBytes ?? formBytes,
    errorHandler,
    onRequest: async (request, reply) => {
      await parts.rateLimits.address(request.ip, 'pages');
      if (page.ofMemoryApi && !parts.memoryApi) throw new Refusal('not_found');
      visitors.set(request, await visitorOf(page, request, reply, parts));
    },
    handler: async (request, reply) => {
      const visitor = visitors.get(request) ?? null;
      const type = contentHeaders(request.raw).type;
      if (request.method === 'POST' && type !== 'application/x-www-form-urlencoded') {
        return send(
          problemPage(415, 'Send the fields as application/x-www-form-urlencoded.', backOf(request)),
          request,
          reply,
          { parts, visitor },
        );
      }
      const asked = { ...readRequest(request, reply, parts), visitor };
      const answer = await answerOf(page, asked, request.method === 'POST', parts);
      const { receipt } = asked.recorded;
      if (!('location' in answer)) {
        const ofPage = request.method === 'POST' ? receipt : asked.query.get('receipt');
        return send(answer, request, reply, { parts, visitor, receipt: ofPage });
      }
      const location = answer.namesReceipt ? answer.location : withReceipt(answer.location, receipt);
      return send({ ...answer, location }, request, reply, { parts, visitor });
    },
  });
  server.route({
    method: server.supportedMethods.filter((method) => !taken.includes(method) && !(method === 'HEAD' && page.show)),
    url,
    errorHandler,
    onRequest: async (request, reply) => {
      await parts.rateLimits.address(request.ip, 'pages');
      const shown = problemPage(405, `This address takes ${taken.join(' and ')}.`, page.show ? url : '/sign-in');
      return send({ ...shown, headers: { allow: taken.join(', ') } }, request, reply, { parts, visitor: null });
    },
    handler: async (_request, reply) => reply,
  });
}

/** The person who opens the page. @throws Refusal unauthorized, session_expired, csrf */
async function visitorOf(
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
    if (!isNotSignedIn(error) || page.access === 'a person') throw error;
  }
  if (page.access === 'a person') throw new Refusal('unauthorized', 'No one is signed in.');
  return null;
}

async function renew(session: OpenSession, reply: FastifyReply, cookies: RouteParts['cookies']): Promise<void> {
  if (session.renewed) void reply.header('set-cookie', await cookies.session.write(session));
}

const isNotSignedIn = (error: unknown): boolean => error instanceof Refusal && error.status === 401;

const noFields: Form = readForm('');

function readRequest(
  request: FastifyRequest<{ Params: Record<string, string> }>,
  reply: FastifyReply,
  parts: PageRouteParts,
): Omit<PageRequest, 'visitor'> {
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  const { body } = request;
  return {
    path,
    params: request.params,
    query: new URLSearchParams(query),
    form: body instanceof Uint8Array ? readForm(Buffer.from(body).toString('utf8')) : noFields,
    client: clientOf(request, parts),
    exchange: { request: request.raw, response: reply.raw },
    now: parts.services.writing.world.now().getTime(),
    recorded: { receipt: null },
  };
}

/** @throws Refusal csrf for a form whose token is not of this session and page */
async function answerOf(page: Page, request: PageRequest, submitted: boolean, parts: PageParts): Promise<PageAnswer> {
  const missing = new Refusal('route_not_found');
  if (page.access === 'anyone') {
    const handler = submitted ? page.submit : page.show;
    if (!handler) throw missing;
    return handler(request, parts);
  }
  const { visitor } = request;
  if (!visitor) throw new Refusal('unauthorized');
  const purpose = page.purpose?.(request) ?? page.path;
  const { id } = visitor.session;
  if (submitted && !parts.formTokens.isRight(request.form.one('token'), id, purpose)) throw new Refusal('csrf');
  const handler = submitted ? page.submit : page.show;
  if (!handler) throw missing;
  return handler({ ...request, visitor, token: parts.formTokens.of(id, purpose) }, parts);
}

interface Around {
  readonly parts: PageRouteParts;
  readonly visitor: Visitor | null;
  /** The receipt that the page names above its text. */
  readonly receipt?: string | null;
}

async function send(
  answer: PageAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  around: Around,
): Promise<FastifyReply> {
  void reply.headers(pageHeaders);
  if ('location' in answer) {
    if (answer.cookies) await setCookies(reply, answer.cookies, around.parts);
    return reply.code(303).header('location', answer.location).send();
  }
  return sendPage(answer, request, reply, around);
}

async function sendPage(
  answer: Shown,
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, visitor, receipt = null }: Around,
): Promise<FastifyReply> {
  const { status, title, main, continuesAt, withoutNavigation, withoutScript, headers: own = {} } = answer;
  const path = request.routeOptions.url ?? '';
  const now = parts.services.writing.world.now().getTime();
  const person = visitor && (await headerPersonOf(visitor, clientOf(request, parts), parts));
  const header = headerOf(path, person, withoutNavigation ?? false);
  const hasScript = person !== null && !withoutNavigation && !withoutScript;
  if (hasScript) void reply.header('content-security-policy', policies.withScript);
  const note = visitor && (await recordedNote(receipt, { visitor, client: clientOf(request, parts), now }, parts));
  return reply
    .code(status)
    .headers(own)
    .type('text/html; charset=utf-8')
    .send(
      layout({
        title,
        header,
        main: html`<main id="main">\n${note}${main}\n</main>`,
        styles: [addressOf('pages.css')],
        ...(hasScript ? { script: addressOf('live.js') } : {}),
        continuesAt,
      }),
    );
}

function headerOf(path: string, person: HeaderPerson | null, withoutNavigation: boolean): Html {
  if (person === null) return publicHeader(path, { to: '/sign-in', name: 'Sign in' });
  return withoutNavigation ? personHeader(person) : consoleHeader(path, person);
}

/** A person who is not signed in signs in first, and comes back to the page. */
function refuse(refusal: Refusal, request: FastifyRequest, reply: FastifyReply, around: Around): void {
  const back = backOf(request);
  const answer: PageAnswer =
    refusal.status === 401 && request.method !== 'POST'
      ? { location: `/sign-in?next=${encodeURIComponent(back)}` }
      : refusedPage(refusal, back);
  void send(answer, request, reply, around);
}

/** The address of the page itself. A form is only sent to the address of its page. */
function backOf({ url }: FastifyRequest): string {
  return url === '/sign-out' ? '/sign-in' : url;
}
