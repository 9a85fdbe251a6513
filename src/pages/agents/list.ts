import type { z } from 'zod';
import { agentLinked, agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { agentLinkOperation, agentListOperation } from '../../api/agents/agents.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { hidden, textField } from '../components/fields.js';
import { identity } from '../components/identity.js';
import { done, empty, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type ListPlace, placeAt, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import { olderAt, pageQuery } from '../lists.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { type Agent, agentsPath, drawnIdentity, provedState, requireAdmin, titleOf } from './agent.js';

/** The agents of the workspace, and the form that links one by a name. */
export const agentsPage: PersonPage = {
  path: agentsPath,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => agents(request, parts, null),
  async submit(request, parts) {
    try {
      const { id } = await linked(request, parts);
      return { location: `${agentsPath}/${id}?linked` };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return agents(request, parts, error);
      throw error;
    }
  },
};

/** @throws Refusal as the API does */
function linked(request: PersonRequest, parts: PageParts) {
  const { form } = request;
  const [name, handle, given] = ['name', 'handle', 'agent_id'].map((field) => form.one(field).trim());
  if (!name) throw new Refusal('invalid_name', 'Give the agent a name, so that you recognize it later.');
  const body = JSON.stringify({ agent_id: given || form.one('drawn'), name, ...(handle && { handle }) });
  return ask(agentLinked, agentLinkOperation, request, { body, idempotencyKey: form.one('once') }, parts);
}

async function agents(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { query } = request;
  requireAdmin(request);
  const list = await ask(agentList, agentListOperation, request, { query: pageQuery(request) }, parts);
  return {
    status: refusal?.status ?? 200,
    title: 'Agents',
    main: html`${pageTop({ title: 'Agents', actions: html`<a class="button second" href="#link">Link an agent</a>`, lead: 'Programs that act in their own name: the receipts of what they do name them. Each has keys, with which it calls over MCP, and webhooks.' })}
${done(query.has('unlinked') && refusal === null ? 'The agent was unlinked. Its keys and webhooks have ended with it.' : undefined)}
${list.data.length === 0 ? noAgents(parts) : listOf(list, request)}
<section class="narrow" id="link"><h2>Link an agent by its name</h2>
${problem(refusal && sentenceOf(refusal))}${linkForm(request, parts)}</section>
<section class="narrow"><h2>Link an agent with a proof</h2>
<p class="hint">The holder of a key shows that the agent is theirs. Its public task receipts then count for the identity of that key.</p>
<p class="actions"><a class="button second" href="${agentsPath}/prove">Link with a proof</a></p></section>`,
  };
}

const noAgents = ({ memoryApi }: PageParts): Html =>
  empty(
    'No agent is linked yet.',
    memoryApi ? html`<a class="button second" href="/connect">Connect an agent</a>` : undefined,
  );

function listOf({ data, next_cursor: next }: z.output<typeof agentList>, { query, now }: PersonRequest): Html {
  const place = placeAt(agentsPath, query);
  return table({
    caption: 'Agents, those that were linked last first',
    columns: [
      { name: 'Agent', look: 'wide-cell' },
      { name: 'Identity', look: 'not-on-phones' },
      { name: 'Holder' },
      { name: 'Keys', look: 'number not-on-phones' },
      { name: 'Last use of a key', look: 'number' },
    ],
    rows: data.map((agent) => ({ cells: cellsOf(agent, place, now) })),
    end: pager(counted(data.length, 'agent'), olderAt(agentsPath, next)),
  });
}

function cellsOf(agent: Agent, place: ListPlace, now: number): readonly (Html | string | number)[] {
  const { id, agent_id, name, handle, proved, keys = 0, last_used_at: used } = agent;
  const beside = name !== null && handle !== null && html` <small>${handle}</small>`;
  return [
    html`<a class="whole" href="${withPlace(`${agentsPath}/${id}`, place)}">${said(titleOf(agent))}</a>${beside}`,
    identity(agent_id),
    provedState(proved),
    keys,
    used ? time(used, now) : html`<span class="none">never</span>`,
  ];
}

function linkForm({ form, token }: PersonRequest, { services }: PageParts): Html {
  return html`<form method="post" action="${agentsPath}">${hidden('token', token)}${hidden('once', services.writing.world.id())}${hidden('drawn', drawnIdentity())}
${textField({ name: 'name', label: 'Name', value: form.one('name'), hint: 'What it does or where it runs, so that you recognize it later.', more: html`maxlength="64" required autocomplete="off"` })}
${textField({ name: 'handle', label: 'Handle', value: form.one('handle'), hint: 'The handle in its task receipts, such as @triage-bot. It may stay empty.', more: html`maxlength="33" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
${textField({ name: 'agent_id', label: 'Identity', value: form.one('agent_id'), hint: 'An identity that it has already: agn_ and 32 characters. Where it stays empty, one is drawn at random, and nothing proves who holds it.', more: html`maxlength="36" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
<p class="actions"><button>Link the agent</button></p></form>`;
}
