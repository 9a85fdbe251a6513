import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { webhookList, workspaceWebhooks } from '../../../contracts/webhooks.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { workspaceWebhooksOperation } from '../../api/webhooks/of-workspace.js';
import { webhookListOperation } from '../../api/webhooks/webhooks.js';
import { type Agent, agentsPath, titleOf as agentTitle, asAgent } from '../agents/agent.js';
import { ask } from '../ask.js';
import { done, empty, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { type ListPlace, placeAt } from '../from-list.js';
import { type Html, html } from '../html.js';
import { older, pageQuery } from '../lists.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { mayWrite, namesFor, readsOnly } from './read.js';
import { type Webhook, webhookRows, webhooksPath } from './rows.js';

type Named = Pick<Agent, 'agent_id' | 'name' | 'handle'> & { readonly id?: string };

/** The webhooks of one agent; a refusal where they cannot be read. */
interface Group {
  readonly agent: Named;
  readonly webhooks: readonly Webhook[] | Refusal;
}

interface Groups {
  readonly groups: readonly Group[];
  readonly next: string | null;
}

/** Agents whose webhooks are read for one page, where each is asked about by itself. */
const agentsPerPage = '25';

/** The webhooks of the workspace by their agents. */
export const webhooksPage: PersonPage = {
  path: webhooksPath,
  access: 'a person',
  ofMemoryApi: true,
  show: webhooks,
};

async function webhooks(request: PersonRequest, parts: PageParts): Promise<Shown> {
  const { query, visitor } = request;
  const { role } = visitor.session.person;
  const isAdmin = role === 'owner' || role === 'admin';
  const { groups, next } = isAdmin ? await ofWorkspace(request, parts) : await ofAgents(request, parts);
  const writes = mayWrite(request);
  const names = await namesFor(request, parts);
  const place = placeAt(webhooksPath, query);
  return {
    status: 200,
    title: 'Webhooks',
    main: html`${pageTop({ title: 'Webhooks', actions: writes && html`<a class="button second" href="${webhooksPath}/new">Add a webhook</a>`, lead: 'Addresses that are notified when a memory that fits becomes ready. Each belongs to an agent, and each notification is signed.' })}
${!writes && readsOnly}
${done(query.has('deleted') ? 'The webhook was deleted. Its address and its secret are destroyed.' : undefined)}
${groups.length === 0 ? (query.has('before') ? html`<p class="hint">Nothing is older.</p>` : none(writes)) : groups.map((group) => section(group, { place, names, request, isAdmin }))}
${older(webhooksPath, next)}`,
  };
}

const none = (writes: boolean): Html =>
  empty(
    'There is no webhook yet.',
    writes ? html`<a class="button second" href="${webhooksPath}/new">Add a webhook</a>` : undefined,
  );

interface Around {
  readonly place: ListPlace;
  readonly names: ReadonlyMap<string, string>;
  readonly request: PersonRequest;
  readonly isAdmin: boolean;
}

function section({ agent, webhooks }: Group, { place, names, request, isAdmin }: Around): Html {
  const title = said(agentTitle(agent));
  const heading = isAdmin ? html`<a href="${agentsPath}/${agent.agent_id}">${title}</a>` : title;
  const content =
    webhooks instanceof Refusal
      ? problem(html`${sentenceOf(webhooks)} <a href="${place.address}">Try again</a>`)
      : webhookRows(webhooks, { agentId: agent.agent_id, place, names, now: request.now });
  return html`<section><h2>${heading}</h2>${content}</section>`;
}

/** Owners and admins may list the webhooks of all agents. */
async function ofWorkspace(request: PersonRequest, parts: PageParts): Promise<Groups> {
  const query = { ...pageQuery(request), limit: '100' };
  const { data, next_cursor } = await ask(workspaceWebhooks, workspaceWebhooksOperation, request, { query }, parts);
  const agents = new Map(data.map(({ agent }) => [agent.agent_id, agent]));
  const groups = [...agents.values()].map((agent) => ({
    agent,
    webhooks: data.filter((one) => one.agent.agent_id === agent.agent_id),
  }));
  return { groups, next: next_cursor };
}

/** Other roles may list those of each agent. An agent without a webhook is left out. */
async function ofAgents(request: PersonRequest, parts: PageParts): Promise<Groups> {
  const query = { ...pageQuery(request), limit: agentsPerPage };
  const { data, next_cursor } = await ask(agentList, agentListOperation, request, { query }, parts);
  const groups: Group[] = [];
  for (const agent of data) {
    const webhooks = await ofAgent(agent, request, parts);
    if (webhooks instanceof Refusal || webhooks.length > 0) groups.push({ agent, webhooks });
  }
  return { groups, next: next_cursor };
}

async function ofAgent({ agent_id }: Named, request: PersonRequest, parts: PageParts): Promise<Group['webhooks']> {
  try {
    return (await ask(webhookList, webhookListOperation, asAgent(request, agent_id), {}, parts)).data;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
