import type { z } from 'zod';
import { Refusal } from '../../contracts/errors.js';
import { passwordChanged, sessionList } from '../../contracts/session.js';
import { callAs } from '../api/call.js';
import { passwordOperation, sessionEndOperation, sessionListOperation } from '../api/session/account.js';
import { read } from './ask.js';
import { hidden, textField } from './components/fields.js';
import { done, problem, sentenceOf } from './components/messages.js';
import { pageTop } from './components/page-top.js';
import { table } from './components/table.js';
import { time } from './components/time.js';
import { type Html, html } from './html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from './page.js';

const path = '/account';

type Session = z.output<typeof sessionList>['data'][number];

/** The password and the sessions of a person, which belong to no workspace. It asks for passwords, so it runs no script. */
export const accountPage: PersonPage = {
  path,
  access: 'a person',
  writesNothing: true,
  secrets: ['old_password', 'new_password'],
  show: (request, parts) => account(request, parts, null),
  async submit(request, parts) {
    const act = request.form.one('do');
    try {
      if (act === 'password') return { location: await changePassword(request, parts) };
      const ended = act === 'others' ? await others(request, parts) : [request.form.one('session_id')];
      for (const session_id of ended) await endSession(session_id, request, parts);
      return { location: `${path}?ended=${ended.length}` };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return account(request, parts, error);
      throw error;
    }
  },
};

async function changePassword(request: PersonRequest, parts: PageParts): Promise<string> {
  const { form, client, visitor, recorded } = request;
  const [old_password, new_password] = [form.one('old_password'), form.one('new_password')];
  if (new_password !== form.one('again'))
    throw new Refusal('invalid_request', 'The two new passwords differ. Nothing was changed.');
  const body = JSON.stringify({ old_password, new_password });
  const answer = await callAs({ session: visitor.session }, passwordOperation, { client, body }, parts);
  recorded.receipt = read(passwordChanged, answer).receipt_id;
  return `${path}?changed`;
}

async function endSession(id: string, { client, visitor }: PersonRequest, parts: PageParts): Promise<void> {
  const given = { client, params: { session_id: id } };
  await callAs({ session: visitor.session }, sessionEndOperation, given, parts);
}

async function sessionsOf({ client, visitor }: PersonRequest, parts: PageParts): Promise<readonly Session[]> {
  return read(sessionList, await callAs({ session: visitor.session }, sessionListOperation, { client }, parts)).data;
}

const others = async (request: PersonRequest, parts: PageParts): Promise<readonly string[]> =>
  (await sessionsOf(request, parts)).flatMap(({ id, current }) => (current ? [] : [id]));

async function account(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { query, visitor } = request;
  const sessions = await sessionsOf(request, parts);
  const hasEnded = refusal === null && query.has('ended');
  return {
    status: refusal?.status ?? 200,
    title: 'Account',
    withoutScript: true,
    main: html`${pageTop({ title: 'Account', lead: html`You are signed in as <strong><bdi>${visitor.session.person.email}</bdi></strong>. What is here belongs to you, in all your workspaces.` })}
${problem(refusal && sentenceOf(refusal))}${done(hasEnded ? endedWords(query.get('ended')) : undefined)}${done(refusal === null && query.has('changed') ? 'The password was changed, and your other sessions have ended.' : undefined)}
${sessionsPart(sessions, request)}
${passwordPart(request)}`,
  };
}

const endedWords = (count: string | null): string =>
  count === '1'
    ? 'The session was ended.'
    : count === '0'
      ? 'There was no other session.'
      : 'The other sessions were ended.';

function sessionsPart(sessions: readonly Session[], { token, now }: PersonRequest): Html {
  const rows = sessions.map(({ id, browser, created_at, last_used_at, current }) => ({
    cells: [
      html`${browser ?? 'A program'}${current && html` <span class="badge">this one</span>`}`,
      last_used_at === null ? html`<span class="none">not known</span>` : time(last_used_at, now),
      time(created_at, now),
      current
        ? html`<span class="none">in use</span>`
        : html`<form method="post" action="${path}" class="inline">${hidden('token', token)}${hidden('session_id', id)}<button class="second small" name="do" value="end">End<span class="spoken"> the session of ${browser ?? 'a program'}</span></button></form>`,
    ],
  }));
  const elsewhere = html`<form method="post" action="${path}">${hidden('token', token)}<button class="second small" name="do" value="others">Sign out everywhere else</button></form>`;
  return html`<section><div class="title"><h2>Sessions</h2><div class="actions">${elsewhere}</div></div>
${table({
  caption: 'Your sessions, newest first',
  columns: [
    { name: 'Browser', look: 'wide-cell' },
    { name: 'Last used', look: 'number' },
    { name: 'Signed in', look: 'number not-on-phones' },
    { name: 'End it', look: 'number', spoken: true },
  ],
  rows,
})}</section>`;
}

function passwordPart({ token }: PersonRequest): Html {
  const field = (name: string, label: string, complete: string, hint?: string) =>
    textField({
      name,
      label,
      ...(hint !== undefined && { hint }),
      more: html`type="password" autocomplete="${complete}" maxlength="1000" required`,
    });
  return html`<section class="narrow"><h2>Password</h2>
<p class="hint">All your other sessions end, and the programs that you have connected lose their access.</p>
<form method="post" action="${path}">${hidden('token', token)}
${field('old_password', 'Current password', 'current-password')}
${field('new_password', 'New password', 'new-password', 'At least 12 characters.')}
${field('again', 'New password again', 'new-password')}
<p class="actions"><button name="do" value="password">Change the password</button></p></form></section>`;
}
