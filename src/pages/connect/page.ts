import { agentKeyCreated } from '../../../contracts/agent-keys.js';
import { agentLinked } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { agentKeyCreateOperation } from '../../api/agent-keys/agent-keys.js';
import { agentLinkOperation } from '../../api/agents/agents.js';
import { drawnIdentity } from '../agents/agent.js';
import { ask } from '../ask.js';
import { copied } from '../components/copied.js';
import { hidden, textField } from '../components/fields.js';
import { notice, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { type Html, html } from '../html.js';
import { defaultOf, namespacesOf } from '../namespaces/all.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { type Client, clients, type Paste } from './clients.js';
import { firstCall } from './first-call.js';

const path = '/connect';

/** The page that gives an agent its way in: what to paste into its client, and a key in one form. */
export const connectPage: PersonPage = {
  path,
  access: 'a person',
  ofMemoryApi: true,
  writesNothing: true,
  async show(request, parts) {
    // The page asks the API nothing that would refuse a person without a role.
    if (request.visitor.session.person.role === 'none') throw new Refusal('workspace_role_required');
    const linkId = request.query.get('agent') ?? '';
    const client = clientIn(request.query.get('client'));
    if (/^[0-9a-f-]{36}$/.test(linkId)) return firstCall(linkId, client, request, parts);
    return choosing(client, request, parts, null);
  },
  async submit(request, parts): Promise<PageAnswer> {
    const client = clientIn(request.form.one('client'));
    try {
      return await connected(client, request, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return choosing(client, request, parts, error);
      throw error;
    }
  },
};

const [firstClient] = clients;

function clientIn(id: string | null): Client {
  const found = clients.find((one) => one.id === id) ?? firstClient;
  if (!found) throw new Error('there is no client to connect');
  return found;
}

async function choosing(
  client: Client,
  request: PersonRequest,
  parts: PageParts,
  refusal: Refusal | null,
): Promise<Shown> {
  const base = parts.services.service.baseUrl;
  const links = clients.map(
    ({ id, name }) =>
      html`<li><a class="chip" href="${path}?client=${id}" data-live${id === client.id && html` aria-current="true"`}>${name}</a></li>`,
  );
  return {
    status: refusal?.status ?? 200,
    title: 'Connect an agent',
    main: html`${pageTop({ title: 'Connect an agent', lead: 'Choose the client in which the agent runs, and paste what is below.' })}
<ul class="chips" aria-label="Clients">${links}</ul>
${problem(refusal && sentenceOf(refusal))}
${
  client.signsIn &&
  html`<section><h2>${client.name}: a person signs in</h2>${pasted(client.signsIn(base))}
<p class="note">The browser asks what the client may do. <a href="/grants">Grants</a> lists what is allowed, with its last use.</p></section>`
}
${client.withKey && html`<section><h2>${client.name}: with an agent key</h2>${keyForm(client, request, parts)}${pasted(client.withKey(base))}</section>`}
<p class="note"><a href="/developers/guides/mcp">The guide for clients</a> has more of them, and what to do when one does not connect.</p>`,
  };
}

function pasted({ where, text }: Paste): Html {
  return html`<p>${where}</p>${copied(html`<pre tabindex="0"><code>${text}</code></pre>`, text)}`;
}

function keyForm(client: Client, { visitor, form, token }: PersonRequest, parts: PageParts): Html | undefined {
  const { role } = visitor.session.person;
  if (role !== 'owner' && role !== 'admin')
    return notice('An owner or an admin of the workspace makes the key. Ask them for one.');
  return html`<form method="post" action="${path}">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}${hidden('client', client.id)}${hidden('agent_id', drawnIdentity())}
${textField({ name: 'name', label: 'Name of the agent', value: form.one('name'), hint: 'It gets an identity that is drawn at random and that nothing proves, a link to this workspace, and a key that reads and writes in the default namespace.', more: html`maxlength="64" required autocomplete="off"` })}
<p class="actions"><button>Make the agent and its key</button></p></form>`;
}

/** Makes the agent and its key, and shows the key once. @throws Refusal as the API does */
async function connected(client: Client, request: PersonRequest, parts: PageParts): Promise<Shown> {
  const { form } = request;
  const name = form.one('name').trim();
  if (name === '') throw new Refusal('invalid_name', 'Give the agent a name, so that you recognize it later.');
  const once = form.one('once');
  const agent = { agent_id: form.one('agent_id'), name };
  const link = await ask(
    agentLinked,
    agentLinkOperation,
    request,
    { body: JSON.stringify(agent), idempotencyKey: once },
    parts,
  );
  const namespace_ids = defaultOf(await namespacesOf(request, parts));
  const key = { name, scopes: ['memory.read', 'memory.write'], namespace_ids };
  const given = { params: { link_id: link.id }, body: JSON.stringify(key), idempotencyKey: `${once}-key` };
  const made = await ask(agentKeyCreated, agentKeyCreateOperation, request, given, parts);
  return shownOnce(client, { name, linkId: link.id, secret: made.key }, parts);
}

interface Made {
  readonly name: string;
  readonly linkId: string;
  readonly secret: string | null;
}

function shownOnce(client: Client, { name, linkId, secret }: Made, parts: PageParts): Shown {
  const paste = client.withKey?.(parts.services.service.baseUrl);
  const look = `${path}?client=${client.id}&agent=${linkId}`;
  const main =
    secret === null
      ? html`${problem('This form was sent before, and its key was shown then. If you have not copied it, make another key for this agent.')}
<p class="actions"><a class="button second" href="/keys/agents/${linkId}">The keys of the agent</a></p>`
      : html`<p class="lead">Copy the key now: it is not shown again. The service stores only its hash.</p>
<ol class="numbered"><li><p>Give the key to the shell or the client.</p><p class="secret"><code>export COUNTERFOIL_AGENT_KEY=${secret}</code></p></li>
${paste && html`<li><p>${paste.where}</p><pre tabindex="0"><code>${paste.text}</code></pre></li>`}
<li><p>Let the agent call once, then see that it has arrived.</p><p class="actions"><a class="button" href="${look}">Wait for the first call</a></p></li></ol>`;
  return {
    status: 200,
    title: `The agent “${name}”`,
    withoutScript: true,
    main: html`<div class="narrow"><h1>The agent “<bdi>${name}</bdi>”</h1>${main}</div>`,
  };
}
