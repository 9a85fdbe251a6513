import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import { afterSignIn, formBack } from '../pages/drafts/after-sign-in.js';
import { draftField, tokenField } from '../pages/drafts/fields.js';
import { formNotSent } from '../pages/drafts/not-sent.js';
import { purposeOf } from '../pages/drafts/shown-again.js';
import { type Form, formBytes, noFields, readForm, readFormWithFile } from '../pages/form.js';
import { withReceipt } from '../pages/frame/recorded.js';
import type { Page, PageAnswer, PageParts, PageRequest, Redirected, Visitor } from '../pages/page.js';
import { pages } from '../pages/pages.js';
import { noPage, problemPage, refusedPage } from '../pages/refused.js';
import { type Around, send } from './page-send.js';
import { anyVisitor, countPage, type PageRouteParts, signOutToken, visitorOf, visitorWith } from './page-visitors.js';
import { isAddressForPeople } from './people.js';
import { asRefusal } from './reply.js';
import { createRoom, type Room } from './room.js';
import { clientOf, contentHeaders, sentHeader, setCookies } from './route.js';

/** Whether a request that no route takes is answered with a page. */
export function isForPeople({ method, headers, url }: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(method) && (headers.accept ?? '').includes('text/html') && isAddressForPeople(url);
}

/** The page for an address at which there is none. */
export async function sendNoPage(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageRouteParts,
): Promise<FastifyReply> {
  const sentence = 'Nothing is at this address. It may be mistyped, or have been removed.';
  const visitor = await anyVisitor(request, reply, parts);
  return send(noPage(sentence, parts.memoryApi), request, reply, { parts, visitor });
}

/** Bodies of requests that are refused already, which are read only so that what was typed comes back. */
const mostRefusedBodies = 16;

/** Serves the pages for people. Everything about them is HTML, refusals too. */
export function addPageRoutes(server: FastifyInstance, parts: PageRouteParts): void {
  const room = createRoom(mostRefusedBodies);
  for (const page of pages) {
    addPage(server, page, parts, room);
    refuseOthers(server, page, parts);
  }
}

type PathRequest = FastifyRequest<{ Params: Record<string, string> }>;

function addPage(server: FastifyInstance, page: Page, parts: PageRouteParts, room: Room): void {
  const visitors = new WeakMap<FastifyRequest, Visitor | null>();
  const refused = new WeakMap<FastifyRequest, Refusal>();
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const around = { parts, visitor: visitors.get(request) ?? null };
    void refuse(asRefusal(error, request), request, reply, around);
  };
  server.route<{ Params: Record<string, string> }>({
    method: methodsOf(page),
    url: page.path,
    bodyLimit: page.formBytes ?? formBytes,
    errorHandler,
    onRequest: async (request, reply) => {
      try {
        await countPage(page, request, parts);
        if (page.ofMemoryApi && !parts.memoryApi) throw new Refusal('not_found');
        visitors.set(request, await visitorOf(page, request, reply, parts));
      } catch (error) {
        const refusal = asRefusal(error, request);
        // What another site has sent was typed by no one.
        if (request.method !== 'POST' || refusal.code === 'csrf' || !room.enter(reply.raw)) throw refusal;
        refused.set(request, refusal);
      }
    },
    handler: async (request, reply) => {
      const visitor = visitors.get(request) ?? null;
      const type = contentHeaders(request.raw).type;
      const hasFile = page.takesFile === true && type === 'multipart/form-data';
      if (request.method === 'POST' && !hasFile && type !== 'application/x-www-form-urlencoded') {
        const shown = problemPage(415, 'Send the fields as application/x-www-form-urlencoded.', backOf(request));
        return send(shown, request, reply, { parts, visitor });
      }
      const form = await formIn(request, hasFile);
      const asked = { ...readRequest(request, reply, parts), form, visitor };
      if (request.method !== 'POST') {
        const answer = await answerOf(page, asked, false, parts);
        return send(answer, request, reply, { parts, visitor, receipt: asked.query.get('receipt') });
      }
      const before = refused.get(request) ?? null;
      return sendForm(page, asked, { request, reply, before }, parts);
    },
  });
}

/** Answers a request with a method that the page does not have. */
function refuseOthers(server: FastifyInstance, page: Page, parts: PageRouteParts): void {
  const taken = methodsOf(page);
  server.route({
    method: server.supportedMethods.filter((method) => !taken.includes(method) && !(method === 'HEAD' && page.show)),
    url: page.path,
    errorHandler: (error: unknown, request, reply) =>
      void refuse(asRefusal(error, request), request, reply, { parts, visitor: null }),
    onRequest: async (request, reply) => {
      await parts.rateLimits.address(request.ip, 'pages');
      const back = page.show ? page.path : '/sign-in';
      const shown = problemPage(405, `This address takes ${taken.join(' and ')}.`, back);
      return send({ ...shown, headers: { allow: taken.join(', ') } }, request, reply, { parts, visitor: null });
    },
    handler: async (_request, reply) => reply,
  });
}

const methodsOf = (page: Page): string[] => [...(page.show ? ['GET'] : []), ...(page.submit ? ['POST'] : [])];

interface FormRequest {
  readonly request: PathRequest;
  readonly reply: FastifyReply;
  /** Why the form is not carried out, where that is known before its fields are. */
  readonly before: Refusal | null;
}

/** Carries out a form, and where that is refused, shows it again with what was typed. */
async function sendForm(
  page: Page,
  asked: PageRequest,
  { request, reply, before }: FormRequest,
  parts: PageRouteParts,
): Promise<FastifyReply> {
  const { visitor } = asked;
  const sent = { page, request: asked, address: backOf(request) };
  const text = asked.form.one(draftField);
  try {
    if (before) throw before;
    if (visitor && text !== '' && page.access === 'a person') {
      return await send(await formBack({ ...sent, visitor, text }, parts), request, reply, { parts, visitor });
    }
    const answer = await answerOf(page, asked, true, parts);
    const { receipt } = asked.recorded;
    if (!('location' in answer)) return await send(answer, request, reply, { parts, visitor, receipt });
    if (answer.draft !== undefined)
      return await sendDraft({ ...answer, draft: answer.draft }, asked, { request, reply }, parts);
    const location = answer.namesReceipt ? answer.location : withReceipt(answer.location, receipt);
    return await send({ ...answer, location }, request, reply, { parts, visitor });
  } catch (error) {
    const refusal = asRefusal(error, request);
    const answer = await formNotSent(refusal, sent, parts);
    if (answer === null) return refuse(refusal, request, reply, { parts, visitor });
    return send(answer, request, reply, { parts, visitor });
  }
}

/** Answers a sign-in that has carried the fields of a form with that form. */
async function sendDraft(
  { location, cookies = {}, draft }: Redirected & { readonly draft: string },
  asked: PageRequest,
  { request, reply }: Omit<FormRequest, 'before'>,
  parts: PageRouteParts,
): Promise<FastifyReply> {
  await setCookies(request, reply, cookies, parts);
  const visitor = await visitorWith(cookies, request, parts);
  if (!visitor) return send({ location }, request, reply, { parts, visitor });
  const answer = await afterSignIn({ location, draft }, { request: asked, visitor }, parts);
  return send(answer, request, reply, { parts, visitor, path: location });
}

/** @throws Refusal invalid_request for a body that is no form */
async function formIn({ body, raw }: FastifyRequest, hasFile: boolean): Promise<Form> {
  if (!(body instanceof Uint8Array)) return noFields;
  return hasFile ? readFormWithFile(body, sentHeader(raw, 'content-type')) : readForm(body);
}

function readRequest(
  request: PathRequest,
  reply: FastifyReply,
  parts: PageRouteParts,
): Omit<PageRequest, 'visitor' | 'form'> {
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  return {
    path,
    params: request.params,
    query: new URLSearchParams(query),
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
  const purpose = purposeOf(page, request);
  const { id } = visitor.session;
  if (submitted && !parts.formTokens.isRight(request.form.one(tokenField), id, purpose)) throw new Refusal('csrf');
  const handler = submitted ? page.submit : page.show;
  if (!handler) throw missing;
  return handler({ ...request, visitor, token: parts.formTokens.of(id, purpose) }, parts);
}

/** A person who is not signed in signs in first, and comes back to the page. */
async function refuse(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  around: Around,
): Promise<FastifyReply> {
  const back = backOf(request);
  const isLook = request.method !== 'POST';
  if (refusal.status === 401 && isLook)
    return send({ location: `/sign-in?next=${encodeURIComponent(back)}` }, request, reply, around);
  const signOut = await signOutToken(refusal, request, around.parts).catch(() => null);
  const shown = refusedPage(refusal, { back, isLook, searches: around.parts.memoryApi, signOut });
  return send(shown, request, reply, around);
}

/** The address of the page itself. A form is only sent to the address of its page. */
function backOf({ url }: FastifyRequest): string {
  return url === '/sign-out' ? '/sign-in' : url;
}
