import type { Asked, Destination } from '../../../contracts/authorization.js';
import { Refusal } from '../../../contracts/errors.js';
import { consentPath } from '../../../contracts/oauth.js';
import { allowClient } from '../../api/grants/allow.js';
import { hidden } from '../components/fields.js';
import { problem, sentenceOf } from '../components/messages.js';
import { type Html, html } from '../html.js';
import type { PageParts, PageRequest, PersonPage, PersonRequest, Shown } from '../page.js';
import { type Choice, choiceFields, choiceIn } from './choice.js';

/** The page at which a person answers whether a client may use the memory of a workspace. */
export const consentPage: PersonPage = {
  path: consentPath,
  access: 'a person',
  writesNothing: true,
  ofMemoryApi: true,
  purpose: (request) => `${consentPath} ${idOf(request)}`,
  async show(request, parts) {
    const asked = await parts.authorizations.asked(request.exchange, idOf(request));
    return asked ? question(request, { asked, choice: null, refusal: null }, parts) : nothingAsked;
  },
  async submit(request, parts) {
    const { form, exchange } = request;
    const id = idOf(request);
    const asked = await parts.authorizations.asked(exchange, id);
    if (!asked) return nothingAsked;
    const choice = choiceIn(form, asked);
    try {
      requireSameWorkspace(request);
      switch (form.one('do')) {
        case 'allow':
          return continued(true, asked, await allow(request, id, { asked, choice }, parts));
        case 'deny':
          return continued(false, asked, await parts.authorizations.deny(exchange, id));
        case 'find':
          return question(request, { asked, choice, refusal: null }, parts);
        default:
          throw new Refusal('invalid_request', 'Choose to allow it or not to.');
      }
    } catch (error) {
      if (error instanceof Refusal && error.status < 500)
        return question(request, { asked, choice, refusal: error }, parts);
      throw error;
    }
  },
};

const idOf = ({ query }: PageRequest): string => query.get('id') ?? '';

/** The session may have been moved in another tab since the person has read what the page says. @throws Refusal invalid_request */
function requireSameWorkspace({ form, visitor }: PersonRequest): void {
  if (form.one('workspace_id') === visitor.caller.workspaceId) return;
  throw new Refusal(
    'invalid_request',
    'The workspace was changed in another tab. Nothing was done: read again what is asked.',
  );
}

/**
 * Records what the person allows, and answers the client.
 * @returns where the browser continues. @throws Refusal as `allowClient`, and invalid_request for a question that has ended
 */
async function allow(
  { visitor: { caller }, exchange }: PersonRequest,
  id: string,
  { asked, choice }: { readonly asked: Asked; readonly choice: Choice },
  { authorizations, ...parts }: PageParts,
): Promise<string> {
  const { agentId, namespaces: namespaceIds, scopes } = choice;
  const { clientId, clientName, destination } = asked;
  const client = { clientId, clientName, redirectHost: destination.host };
  const allowed = { question: id, ...client, agentId, scopes, namespaceIds };
  return allowClient(caller, allowed, parts, (grantId) =>
    authorizations.allow(exchange, id, { grantId, memberId: caller.actor.id ?? '', scopes }),
  );
}

interface Asking {
  readonly asked: Asked;
  readonly choice: Choice | null;
  readonly refusal: Refusal | null;
}

async function question(request: PersonRequest, { asked, choice, refusal }: Asking, parts: PageParts): Promise<Shown> {
  const { token, visitor } = request;
  const { person } = visitor.session;
  const here = `${consentPath}?id=${encodeURIComponent(idOf(request))}`;
  const sentence = refusal?.code === 'idempotency_key_reused' ? answeredBefore : refusal && sentenceOf(refusal);
  return {
    status: refusal?.status ?? 200,
    title: 'Connect a program',
    withoutNavigation: true,
    main: html`<div class="narrow">
<h1>A program asks for your memory</h1>
${problem(sentence)}
<form method="post" action="${here}">
${clientFacts(asked)}
<dl class="facts"><div><dt>Workspace</dt><dd><strong><bdi>${person.workspace}</bdi></strong>, where you are ${person.role}. <a href="/workspace?next=${encodeURIComponent(here)}">Change</a></dd></div></dl>
${hidden('token', token)}${hidden('workspace_id', person.workspace_id)}
${await choiceFields(request, asked, choice, parts)}
<p class="actions in-view"><button name="do" value="allow">Allow</button><button class="second" name="do" value="deny">Deny</button></p>
</form>
</div>`,
  };
}

const answeredBefore =
  'You have answered this request already, with other choices. Begin again in the program to choose differently.';

/** Where the answer goes, which is known, before what the client only claims. */
function clientFacts({ clientId, clientName, clientHost, destination }: Asked): Html {
  const { kind, host } = destination;
  const isElsewhere = kind === 'https' && clientHost !== null && clientHost !== host;
  return html`<dl class="asking">
<div><dt>${destinations[kind]}</dt><dd><bdi class="host">${host}${kind === 'private' ? ':' : ''}</bdi></dd></div>
<div class="claim"><dt>Its name, as it claims</dt><dd>${clientName === null ? html`<span class="none">It gives none.</span>` : html`<q><bdi>${clientName}</bdi></q>`}</dd></div>
<div class="claim"><dt>${clientId.startsWith('https://') ? 'It is described by a document of' : 'Its site, as it claims'}</dt>
<dd>${clientHost === null ? html`<span class="none">It names none.</span>` : html`<bdi>${clientHost}</bdi>`}</dd></div>
</dl>
${problem(isElsewhere ? `The answer goes to ${host} and not to the site ${clientHost}. Deny it unless you know why.` : null)}
<p class="hint">Anyone can choose a name. Allow only what you have begun yourself a moment ago, in a program that you know.</p>`;
}

const destinations: Readonly<Record<Destination['kind'], string>> = {
  https: 'Your answer goes to',
  loopback: 'Your answer goes to a program on this computer, at',
  private: 'Your answer goes to the program on this device that opens addresses of',
};

/** The person continues at the client. The page does that, because a form may not redirect to another site. */
function continued(isAllowed: boolean, { destination }: Asked, location: string): Shown {
  const title = isAllowed ? 'You have allowed it' : 'You have not allowed it';
  return {
    status: 200,
    title,
    continuesAt: location,
    main: html`<div class="narrow"><h1>${title}</h1>
<p class="lead">Your browser continues at <bdi>${destination.host}</bdi>.</p>
<p class="actions"><a class="button" href="${location}">Continue</a></p>
<p class="after">If a program has opened, you can close this page. ${isAllowed ? html`<a href="/grants">Your grants</a> show what you have allowed, and end it.` : undefined}</p></div>`,
  };
}

const nothingAsked: Shown = {
  status: 404,
  title: 'Nothing is asked here',
  withoutScript: true,
  main: html`<div class="narrow"><h1>Nothing is asked here</h1>
<p class="lead">This request of a program was answered already, is older than ten minutes, or was begun in another browser.</p>
<p class="after">Go back to the program and connect again from there. What you have allowed so far is listed at <a href="/grants">Grants</a>.</p></div>`,
};
