import { Refusal } from '../../contracts/errors.js';
import { callAs } from '../api/call.js';
import { pathOnThisOrigin } from '../api/session/next-path.js';
import { signInOperation, signOutOperation } from '../api/session/session.js';
import { hidden, textField } from './components/fields.js';
import { problem, sentenceOf } from './components/messages.js';
import { html } from './html.js';
import type { OpenPage, PageParts, PersonPage, Shown, Visitor } from './page.js';

export const signInPath = '/sign-in';

/** The page that asks for e-mail address and password, and that shows to a signed-in person who they are. */
export const signInPage: OpenPage = {
  path: signInPath,
  access: 'anyone',
  async show({ query, visitor }, parts) {
    const next = pathOnThisOrigin(query.get('next') ?? '');
    if (visitor) return signedIn(visitor, next);
    return signInForm({ next, email: '', refusal: refusalOfProvider(query.get('refused')) }, parts);
  },
  async submit({ form, client }, parts) {
    const next = pathOnThisOrigin(form.one('next'));
    const email = form.one('email');
    try {
      const body = JSON.stringify({ email, password: form.one('password') });
      const { cookies = {} } = await callAs({ anybody: true }, signInOperation, { client, body }, parts);
      return { location: next ?? signInPath, cookies };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return signInForm({ next, email, refusal: error }, parts);
      throw error;
    }
  },
};

/** Has no page of its own: every page has its form. */
export const signOutPage: PersonPage = {
  path: '/sign-out',
  access: 'a person',
  async submit({ visitor: { session }, client }, parts) {
    const token = { id: session.id, issuedAt: session.expiresAt, expiresAt: session.expiresAt };
    const { cookies = {} } = await callAs({ session: token }, signOutOperation, { client }, parts);
    return { location: signInPath, cookies };
  },
};

/** The first page of the service. */
export const startPage: OpenPage = {
  path: '/',
  access: 'anyone',
  show: async () => ({ location: signInPath }),
};

/** The codes with which a sign-in with a provider comes back to this page. */
const codesOfProvider = ['invalid_session', 'no_workspace', 'not_ready', 'rate_limited'] as const;

function refusalOfProvider(code: string | null): Refusal | null {
  const known = codesOfProvider.find((one) => one === code);
  if (known === undefined) return null;
  return known === 'invalid_session'
    ? new Refusal(known, 'The provider does not confirm this sign-in, or it took too long. Begin again.')
    : new Refusal(known);
}

interface Asking {
  readonly next: string | null;
  readonly email: string;
  readonly refusal: Refusal | null;
}

function signInForm({ next, email, refusal }: Asking, { services }: PageParts): Shown {
  const sentence =
    refusal &&
    (refusal.code === 'invalid_request' ? 'Type your e-mail address and your password.' : sentenceOf(refusal));
  const seconds = refusal?.details.retry_after_seconds;
  const provider =
    services.access.providerSignIn &&
    html`<p class="or"><a class="button second" href="${providerAddress(next)}">Sign in with ${services.access.providerSignIn.name}</a></p>`;
  return {
    status: refusal?.status ?? 200,
    headers: typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {},
    title: 'Sign in',
    withoutScript: true,
    main: html`<div class="narrow">
<h1>Sign in</h1>
${next === null ? undefined : html`<p class="lead">After that you continue where you came from.</p>`}
${problem(sentence)}
<form method="post" action="${signInPath}">
${next === null ? undefined : hidden('next', next)}
${textField({ name: 'email', label: 'E-mail address', value: email, more: html`type="text" inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="320" required` })}
${textField({ name: 'password', label: 'Password', more: html`type="password" autocomplete="current-password" maxlength="1000" required` })}
<p class="actions"><button>Sign in</button></p>
</form>
${provider}
</div>`,
  };
}

function providerAddress(next: string | null): string {
  return `/v1/session/oidc?next=${encodeURIComponent(next ?? signInPath)}`;
}

function signedIn({ session: { person } }: Visitor, next: string | null): Shown {
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
<li><a href="/memories">Memories</a><span>Search, read, write, correct and delete what agents and people remember.</span></li>
<li><a href="/receipts">Receipts</a><span>Everything that was recorded, each with its proof.</span></li>
<li><a href="/grants">Grants</a><span>The programs that you have connected, and how to end their access.</span></li>
<li><a href="/keys">Keys</a><span>API keys of programs and keys of agents: make, limit and revoke them.</span></li>
<li><a href="/approvals">Approvals</a><span>Writes that wait for the decision of a person.</span></li>
</ul>
</div>`,
  };
}
