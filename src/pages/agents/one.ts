import { agentKeyList } from '../../../contracts/agent-keys.js';
import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { webhookList } from '../../../contracts/webhooks.js';
import { agentKeyListOperation } from '../../api/agent-keys/agent-keys.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { webhookListOperation } from '../../api/webhooks/webhooks.js';
import { ask } from '../ask.js';
import { copied } from '../components/copied.js';
import { facts } from '../components/facts.js';
import { done, empty, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { time } from '../components/time.js';
import { listPlace, walk, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import { keyRows } from '../keys/rows.js';
import { pageQuery } from '../lists.js';
import { namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { namesFor } from '../webhooks/read.js';
import { webhookRows } from '../webhooks/rows.js';
import { type Agent, agentNamed, agentsPath, asAgent, provedState, requireAdmin, titleOf } from './agent.js';

import { erc8004Part } from './erc8004.js';

/** One agent: who it is, its keys, its webhooks, and the way to unlink it. */
export const agentPage: PersonPage = {
  path: `${agentsPath}/:link_id`,
  access: 'a person',
  show: agent,
};

async function agent(request: PersonRequest, parts: PageParts): Promise<Shown> {
  const { query, now } = request;
  requireAdmin(request);
  const one = await agentNamed(request.params.link_id ?? '', request, parts);
  const place = listPlace(agentsPath, request);
  const title = titleOf(one);
  const way = await walk(place, {
    id: one.id,
    ids: async () => {
      const listed = { query: pageQuery({ query: place?.query ?? new URLSearchParams() }) };
      return (await ask(agentList, agentListOperation, request, listed, parts)).data.map(({ id }) => id);
    },
    addressOf: (id) => `${agentsPath}/${id}`,
  });
  return {
    status: 200,
    title,
    main: html`${pageTop({ way, above: [['Agents', place?.address ?? agentsPath]], title: said(title) })}
${done(query.has('linked') ? html`The agent is linked.${parts.memoryApi && html` It has no key yet: <a href="/keys/agents/${one.id}">make one</a>, and paste it into its client as <a href="/connect">Connect</a> says.`}` : undefined)}
${factsOf(one, now)}
${!one.proved && html`<p class="note">Nothing proves who holds this identity, so its public task receipts count for no public record. To prove one, unlink this agent and <a href="${agentsPath}/prove">link it with a proof</a>.</p>`}
${await section('Keys', () => keysOf(one, request, parts))}
${parts.memoryApi && (await section('Webhooks', () => webhooksOf(one, request, parts)))}
${await section('ERC-8004', () => erc8004Part(one, request, parts))}
<section class="end"><h2>Unlink the agent</h2>
<p>Its keys and webhooks end. Its receipts stay.</p>
<p class="actions"><a class="button danger" href="${withPlace(`${agentsPath}/${one.id}/unlink`, place)}">Unlink the agent</a></p></section>`,
  };
}

function factsOf({ agent_id, handle, proved, created_at }: Agent, now: number): Html {
  return facts([
    ['Identity', copied(html`<code>${agent_id}</code>`, agent_id)],
    handle !== null && ['Handle', html`<bdi>${handle}</bdi>`],
    ['Holder of the identity', provedState(proved)],
    created_at !== undefined && ['Linked', time(created_at, now)],
    ['Receipts', html`<a href="/receipts?actor=${agent_id}">What it has done</a>`],
  ]);
}

/** A part of the page. Where its source refuses, the part says so and the other parts stay. */
async function section(title: string, make: () => Promise<Html>): Promise<Html> {
  try {
    return html`<section><h2>${title}</h2>${await make()}</section>`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return html`<section><h2>${title}</h2>${problem(html`${sentenceOf(error)} <a href="">Try again</a>`)}</section>`;
  }
}

async function keysOf({ id }: Agent, request: PersonRequest, parts: PageParts): Promise<Html> {
  const given = { params: { link_id: id }, query: { limit: '25' } };
  const { data, next_cursor } = await ask(agentKeyList, agentKeyListOperation, request, given, parts);
  const all = await namespacesOf(request, parts);
  const path = `/keys/agents/${id}`;
  if (data.length === 0)
    return empty('It has no key, so it cannot call yet.', html`<a class="button second" href="${path}">Make a key</a>`);
  return html`${keyRows(data, { path, namespaces: all, now: request.now })}<p class="after"><a class="button second" href="${path}">${next_cursor === null ? 'Make a key' : 'All keys, and make one'}</a></p>`;
}

async function webhooksOf({ agent_id }: Agent, request: PersonRequest, parts: PageParts): Promise<Html> {
  const { data } = await ask(webhookList, webhookListOperation, asAgent(request, agent_id), {}, parts);
  const add = `/webhooks/new?agent=${agent_id}`;
  if (data.length === 0)
    return empty('It has no webhook.', html`<a class="button second" href="${add}">Add a webhook</a>`);
  const names = await namesFor(request, parts);
  return html`${webhookRows(data, { agentId: agent_id, place: null, names, now: request.now })}<p class="after"><a class="button second" href="${add}">Add a webhook</a></p>`;
}
