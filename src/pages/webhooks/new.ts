import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { webhookCreated } from '../../../contracts/webhooks.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { webhookCreateOperation } from '../../api/webhooks/webhooks.js';
import { type Agent, agentNamed, titleOf as agentTitle, asAgent } from '../agents/agent.js';
import { ask } from '../ask.js';
import { hidden, selectField, textField } from '../components/fields.js';
import { empty, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { shownOnce } from '../components/shown-once.js';
import { type Html, html } from '../html.js';
import { namespacesOf } from '../namespaces/all.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { patternFields, patternIn } from './pattern-form.js';
import { mayWrite, readsOnly } from './read.js';
import { webhooksPath } from './rows.js';

const path = `${webhooksPath}/new`;

/** The form that makes a webhook. The answer shows its secret, once. */
export const newWebhookPage: PersonPage = {
  path,
  access: 'a person',
  ofMemoryApi: true,
  writesNothing: true,
  show: (request, parts) => making(request, parts, null),
  async submit(request, parts): Promise<PageAnswer> {
    try {
      return await made(request, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return making(request, parts, error);
      throw error;
    }
  },
};

/** Makes the webhook. @throws Refusal as the API does */
async function made(request: PersonRequest, parts: PageParts): Promise<Shown> {
  const { form } = request;
  const { agent_id } = await agentNamed(form.one('agent'), request, parts);
  const [name, webhook_url] = [form.one('name').trim(), form.one('webhook_url').trim()];
  const body = JSON.stringify({ webhook_url, ...(name !== '' && { name }), pattern: patternIn(form) });
  const given = { body, idempotencyKey: form.one('once') };
  const { id, host, secret } = await ask(
    webhookCreated,
    webhookCreateOperation,
    asAgent(request, agent_id),
    given,
    parts,
  );
  return shownOnce({
    title: `The secret of the webhook “${name || (host ?? id)}”`,
    secret,
    lead: 'Copy it now and give it to the receiver: it is not shown again. With it the receiver checks that a notification is from this service.',
    use: html`<p><a href="/developers/guides/webhooks">Webhooks</a> has a receiver that checks the signature.</p>`,
    again:
      'This form was sent before, and the secret was shown then. If you have not copied it, delete the webhook and make another one.',
    back: { to: `${webhooksPath}/${agent_id}/${id}`, name: 'To the webhook' },
  });
}

async function making(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { data: agents } = await ask(agentList, agentListOperation, request, { query: { limit: '100' } }, parts);
  return {
    status: refusal?.status ?? 200,
    title: 'Add a webhook',
    main: html`${pageTop({ above: [['Webhooks', webhooksPath]], title: 'Add a webhook' })}
${problem(refusal && sentenceOf(refusal))}
${!mayWrite(request) ? readsOnly : agents.length === 0 ? withoutAgent(request) : await webhookForm(agents, request, parts)}`,
  };
}

/** A webhook belongs to an agent, so the first step is to have one. */
function withoutAgent({ visitor }: PersonRequest): Html {
  const { role } = visitor.session.person;
  if (role !== 'owner' && role !== 'admin')
    return empty('A webhook belongs to an agent, and none is linked. An owner or an admin links one.');
  return empty(
    'A webhook belongs to an agent, and none is linked yet.',
    html`<a class="button" href="/connect">Connect an agent</a>`,
  );
}

async function webhookForm(listed: readonly Agent[], request: PersonRequest, parts: PageParts): Promise<Html> {
  const { form, query, token } = request;
  const chosen = form.one('agent') || (query.get('agent') ?? '');
  const agents = await withChosen(listed, chosen, request, parts);
  const options = agents.map((one) => [one.agent_id, agentTitle(one)] as const);
  const namespaces = await namespacesOf(request, parts);
  return html`<form class="narrow" method="post" action="${path}">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}
${selectField({ name: 'agent', label: 'Agent', value: chosen, options, hint: 'The webhook is listed with it, and ends with it.' })}
${textField({ name: 'webhook_url', label: 'Address', value: form.one('webhook_url'), hint: 'A public https address that takes a POST. After this only its host is shown.', more: html`type="url" maxlength="2000" required autocomplete="off" spellcheck="false"` })}
${textField({ name: 'name', label: 'Name', value: form.one('name'), hint: 'So that you recognize it later. It may stay empty.', more: html`maxlength="64" autocomplete="off"` })}
${patternFields(form, { namespaces, agents: options })}
<p class="actions"><button>Add the webhook</button></p></form>`;
}

/** The choice has the newest agents, and the one that a link has chosen. */
async function withChosen(listed: readonly Agent[], chosen: string, request: PersonRequest, parts: PageParts) {
  if (chosen === '' || listed.some(({ agent_id }) => agent_id === chosen)) return listed;
  try {
    return [await agentNamed(chosen, request, parts), ...listed];
  } catch (error) {
    if (error instanceof Refusal) return listed;
    throw error;
  }
}
