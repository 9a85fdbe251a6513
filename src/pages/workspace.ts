import { Refusal } from '../../contracts/errors.js';
import { session as sessionShape } from '../../contracts/session.js';
import { callAs } from '../api/call.js';
import { pathOnThisOrigin } from '../api/session/next-path.js';
import { sessionMoveOperation, sessionOperation } from '../api/session/session.js';
import { read } from './ask.js';
import { hidden } from './components/fields.js';
import { problem, sentenceOf } from './components/messages.js';
import { pageTop } from './components/page-top.js';
import { said } from './components/said.js';
import { html } from './html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from './page.js';
import { signInPath } from './sign-in.js';

/** The choice of the workspace that the session is in, for a person who is a member of several. */
export const workspacePage: PersonPage = {
  path: '/workspace',
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => choice(request, parts, null),
  async submit(request, parts) {
    const { form, client, visitor } = request;
    const body = JSON.stringify({ workspace_id: form.one('workspace_id') });
    try {
      await callAs({ session: visitor.session }, sessionMoveOperation, { client, body }, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return choice(request, parts, error);
      throw error;
    }
    return { location: nextOf(request) ?? signInPath };
  },
};

function nextOf({ query, form }: PersonRequest): string | null {
  return pathOnThisOrigin(form.one('next') || (query.get('next') ?? ''));
}

async function choice(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { client, visitor, token } = request;
  const answer = await callAs({ session: visitor.session }, sessionOperation, { client }, parts);
  const { workspace, workspaces } = read(sessionShape, answer);
  const next = nextOf(request);
  const options = workspaces.map(
    ({
      id,
      name,
      role,
    }) => html`<li><label class="option"><input type="radio" name="workspace_id" value="${id}"${id === workspace.id ? html` checked` : undefined}>
<span>${said(name)}<small>${role} · <code>${id}</code></small></span></label></li>`,
  );
  return {
    status: refusal?.status ?? 200,
    title: 'Workspace',
    main: html`<div class="narrow">
${pageTop({ title: 'Workspace', lead: workspaces.length === 1 ? 'You are a member of one workspace.' : 'Pages, approvals and connections are about one workspace at a time.' })}
${problem(refusal && (refusal.code === 'invalid_request' ? 'Choose a workspace.' : sentenceOf(refusal)))}
<form method="post" action="/workspace">
${hidden('token', token)}${next === null ? undefined : hidden('next', next)}
<fieldset><legend>Your workspaces</legend><ul class="options">${options}</ul></fieldset>
<p class="actions"><button>Use this workspace</button></p>
</form>
</div>`,
  };
}
