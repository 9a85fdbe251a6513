import { Refusal } from '../../contracts/errors.js';
import { callAs } from '../api/call.js';
import { pathOnThisOrigin } from '../api/session/next-path.js';
import { problemNamed, refusalOfProblem } from '../api/session/provider-problems.js';
import { signInOperation, signOutOperation } from '../api/session/session.js';
import { hidden, textField } from './components/fields.js';
import { problem, sentenceOf, wordsOf } from './components/messages.js';
import { pageTop } from './components/page-top.js';
import { draftField, tokenField } from './drafts/fields.js';
import { sealedBytes } from './drafts/seal.js';
import { type Html, html } from './html.js';
import type { OpenPage, PageParts, Shown, Visitor } from './page.js';

export const signInPath = '/sign-in';

/** The page that asks for e-mail address and password, and that shows to a signed-in person who they are. */
export const signInPage: OpenPage = {
  path: signInPath,
  access: 'anyone',
  // The fields of another form, sealed: each three bytes are four characters then.
  formBytes: 2 * sealedBytes,
  secrets: ['password'],
  writesNothing: true,
  async show({ query, visitor }, parts) {
    const next = pathOnThisOrigin(query.get('next') ?? '');
    if (visitor) return signedIn(visitor, next, parts);
    return signInForm({ next, email: '', draft: null, refusal: refusalOfProvider(query.get('refused')) }, parts);
  },
  async submit({ form, client }, parts) {
    const next = pathOnThisOrigin(form.one('next'));
    const email = form.one('email');
    const draft = form.one(draftField) || null;
    try {
      const body = JSON.stringify({ email, password: form.one('password') });
      const { cookies = {} } = await callAs({ anybody: true }, signInOperation, { client, body }, parts);
      return { location: next ?? '/', cookies, ...(draft !== null && { draft }) };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500)
        return signInForm({ next, email, draft, refusal: error }, parts);
      throw error;
    }
  },
};

/**
 * Has no page of its own: every page has its form. It is for everyone with a session, also where the session is in no workspace, and
 * does nothing for others.
 */
export const signOutPage: OpenPage = {
  path: '/sign-out',
  access: 'anyone',
  writesNothing: true,
  async submit({ form, client }, parts) {
    const session = await client.session();
    if (session === null) return { location: signInPath };
    if (!parts.formTokens.isRight(form.one(tokenField), session.id, '/sign-out')) throw new Refusal('csrf');
    const { cookies = {} } = await callAs({ session }, signOutOperation, { client }, parts);
    return { location: signInPath, cookies };
  },
};

/** Why a sign-in with a provider has come back to this page, and not to a page of a person who is signed in. */
function refusalOfProvider(name: string | null): Refusal | null {
  const problem = problemNamed(name);
  return problem === null ? null : refusalOfProblem(problem);
}

interface Asking {
  /** The address at which the person continues. */
  readonly next: string | null;
  readonly email: string;
  /** The fields of the form at that address, sealed. */
  readonly draft: string | null;
  readonly refusal: Refusal | null;
}

/** The form that asks for e-mail address and password. */
export function signInForm({ next, email, draft, refusal }: Asking, { services }: PageParts): Shown {
  const sentence = refusal && sentenceAt(refusal);
  const seconds = refusal?.details.retry_after_seconds;
  const provider = services.access.providerSignIn && providerPart(services.access.providerSignIn.name, next, draft);
  return {
    status: refusal?.status ?? 200,
    headers: typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {},
    title: 'Sign in',
    withoutScript: true,
    main: html`<div class="narrow">
${pageTop({ title: 'Sign in', lead: next === null ? undefined : draft === null ? 'After that you continue where you came from.' : 'Nothing was sent. What you have typed is kept for ten minutes: after you have signed in, the form is shown as you left it.' })}
${problem(sentence)}
<form method="post" action="${signInPath}">
${next === null ? undefined : hidden('next', next)}${draft === null ? undefined : hidden(draftField, draft)}
${textField({ name: 'email', label: 'E-mail address', value: email, more: html`type="text" inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="320" required` })}
${textField({ name: 'password', label: 'Password', more: html`type="password" autocomplete="current-password" maxlength="1000" required` })}
<p class="actions"><button>Sign in</button></p>
</form>
${provider}
</div>`,
  };
}

function sentenceAt(refusal: Refusal): Html {
  if (refusal.code === 'invalid_request') return html`Type your e-mail address and your password.`;
  // What needs no help from others has no id of a request.
  return refusal.status === 401 ? wordsOf(refusal) : sentenceOf(refusal);
}

/** The provider cannot carry the fields of a form, so that sign-in is in another tab, and the form is continued from this one. */
function providerPart(name: string, next: string | null, draft: string | null): Html {
  const address = providerAddress(draft === null ? next : null);
  if (draft === null || next === null)
    return html`<p class="or"><a class="button second" href="${address}">Sign in with ${name}</a></p>`;
  return html`<p class="or"><a class="button second" href="${address}" target="_blank" rel="noopener">Sign in with ${name} in another tab</a></p>
${continueForm(next, draft, 'Continue with the form')}`;
}

/** Brings the kept fields of a form back to its page, without sending that form. */
export function continueForm(address: string, draft: string, button: string): Html {
  return html`<form method="post" action="${address}">${hidden(draftField, draft)}<p class="actions"><button class="second">${button}</button></p></form>`;
}

function providerAddress(next: string | null): string {
  return `/v1/session/oidc?next=${encodeURIComponent(next ?? signInPath)}`;
}

function signedIn({ session: { person } }: Visitor, next: string | null, { memoryApi }: PageParts): Shown {
  const onward = next === null ? undefined : html`<p class="actions"><a class="button" href="${next}">Continue</a></p>`;
  return {
    status: 200,
    title: 'You are signed in',
    withoutScript: true,
    main: html`<div class="narrow">
<h1>You are signed in</h1>
<dl class="facts">
<div><dt>Person</dt><dd><bdi>${person.email}</bdi></dd></div>
<div><dt>Workspace</dt><dd><bdi>${person.workspace}</bdi> <a href="/workspace">Change</a></dd></div>
<div><dt>Role</dt><dd>${person.role}</dd></div>
</dl>
${onward}
<ul class="ways">
${memoryApi && html`<li><a href="/memories">Memories</a><span>Search, read, write, correct and delete what agents and people remember.</span></li>`}
<li><a href="/receipts">Receipts</a><span>Everything that was recorded, each with its proof.</span></li>
<li><a href="/grants">Grants</a><span>The programs that you have connected, and how to end their access.</span></li>
<li><a href="/keys">Keys</a><span>API keys of programs and keys of agents: make, limit and revoke them.</span></li>
${memoryApi && html`<li><a href="/approvals">Approvals</a><span>Writes that wait for the decision of a person.</span></li>`}
</ul>
</div>`,
  };
}
