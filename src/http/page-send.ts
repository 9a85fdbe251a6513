import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageAt } from '../pages/at.js';
import { completed } from '../pages/components/messages.js';
import { withMarks } from '../pages/components/said.js';
import { personTag } from '../pages/drafts/fields.js';
import { answered } from '../pages/frame/answered.js';
import { addressOf } from '../pages/frame/files.js';
import { consoleHeader, type HeaderPerson, personHeader, publicHeader } from '../pages/frame/header.js';
import { layout } from '../pages/frame/layout.js';
import { recordedNote } from '../pages/frame/recorded.js';
import { headerPersonOf } from '../pages/frame/surroundings.js';
import { usableForms } from '../pages/frame/write-forms.js';
import { type Html, html } from '../pages/html.js';
import type { PageAnswer, Shown, Visitor } from '../pages/page.js';
import { pages } from '../pages/pages.js';
import { pageHeaders, policies } from './page-headers.js';
import type { PageRouteParts } from './page-visitors.js';
import { clientOf, setCookies } from './route.js';

/** The surroundings of the text of a page. */
export interface Around {
  readonly parts: PageRouteParts;
  readonly visitor: Visitor | null;
  /** The receipt that the page names above its text. */
  readonly receipt?: string | null;
  /** The path of the page, where the request was for another one. */
  readonly path?: string;
}

export async function send(
  answer: PageAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  around: Around,
): Promise<FastifyReply> {
  void reply.headers(pageHeaders);
  if ('location' in answer) {
    if (answer.cookies) await setCookies(request, reply, answer.cookies, around.parts);
    return reply.code(303).header('location', answer.location).send();
  }
  if ('file' in answer) {
    return reply
      .type(answer.type)
      .header('content-disposition', `attachment; filename="${answer.file}"`)
      .send(Readable.from(answer.parts));
  }
  return sendPage(answer, request, reply, around);
}

async function sendPage(
  answer: Shown,
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, visitor, receipt = null, path = request.routeOptions.url ?? '' }: Around,
): Promise<FastifyReply> {
  const { status, title, continuesAt, continuesAfter, withoutNavigation, withoutScript, headers: own = {} } = answer;
  const hasHeader = answer.withoutHeader !== true;
  const now = parts.services.writing.world.now().getTime();
  const client = clientOf(request, parts);
  // What is around a page is not worth the page: where the store fails, its text is shown all the same.
  const around = <T>(found: Promise<T>) =>
    found.catch((err: unknown) => {
      request.log.warn({ err }, 'a page was sent without its surroundings');
      return null;
    });
  const person = hasHeader && visitor ? await around(headerPersonOf(visitor, client, parts)) : null;
  const header = hasHeader ? headerOf(path, person, withoutNavigation ?? false) : html``;
  const hasScript = person !== null && !withoutNavigation && !withoutScript;
  if (hasScript) void reply.header('content-security-policy', policies.withScript);
  const note = visitor && (await around(recordedNote(receipt, { visitor, client, now }, parts)));
  const forms = formsOf(answer.main, person, { parts, visitor });
  const main = completed(request.method === 'POST' ? answered(forms) : forms, request.id, now);
  return reply
    .code(status)
    .headers(own)
    .type('text/html; charset=utf-8')
    .send(
      withMarks(
        layout({
          title,
          header,
          main: html`<main id="main">\n${note}${main}\n</main>`,
          styles: [addressOf('pages.css')],
          scripts: hasScript ? ['live.js' as const, ...(answer.script ? [answer.script] : [])].map(addressOf) : [],
          continuesAt,
          continuesAfter,
        }),
      ),
    );
}

/** The text of a page with its forms as this person may use them now. */
function formsOf(main: Html, person: HeaderPerson | null, { parts, visitor }: Around): Html {
  if (!person || !visitor) return main;
  const { role } = visitor.session.person;
  const writes = (path: string) => pageAt(pages, path)?.page.writesNothing !== true;
  return usableForms(main, { role, pause: person.pause, by: personTag(parts.formTokens, visitor), writes });
}

function headerOf(path: string, person: HeaderPerson | null, withoutNavigation: boolean): Html {
  if (person === null) return publicHeader(path, { to: '/sign-in', name: 'Sign in' });
  return withoutNavigation ? personHeader(person) : consoleHeader(path, person);
}
