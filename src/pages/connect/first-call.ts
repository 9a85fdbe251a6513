import type { z } from 'zod';
import { agentKeyList } from '../../../contracts/agent-keys.js';
import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { agentKeyListOperation } from '../../api/agent-keys/agent-keys.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { ask } from '../ask.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { html } from '../html.js';
import { findIn } from '../lists.js';
import type { PageParts, PersonRequest, Shown } from '../page.js';
import type { Client } from './clients.js';

/** Waits for the first call of an agent: the page says when its newest key was used. @throws Refusal agent_not_found */
export async function firstCall(
  linkId: string,
  client: Client,
  request: PersonRequest,
  parts: PageParts,
): Promise<Shown> {
  const params = { link_id: linkId };
  const isIt = ({ id }: z.output<typeof agentList>['data'][number]) => id === linkId;
  const agent = await findIn(agentList, agentListOperation, request, { params: {}, isIt }, parts);
  if (!agent) throw new Refusal('agent_not_found');
  const { data } = await ask(agentKeyList, agentKeyListOperation, request, { params, query: { limit: '25' } }, parts);
  const uses = data.flatMap(({ last_used_at: at }) => (at === null ? [] : [at])).sort();
  const last = uses.at(-1);
  const name = said(agent.name ?? agent.handle ?? agent.agent_id);
  const next =
    last === undefined
      ? html`<p class="state-line">${state('waits', 'waiting for its first call')}</p>
<cf-again data-seconds="5"><a class="button second" href="/connect?client=${client.id}&amp;agent=${linkId}" data-live>Look again</a></cf-again>
<p class="note">The time of the last use is written with a delay of some seconds.</p>`
      : html`<p class="state-line">${state('verified', html`called <time datetime="${last}">${last.slice(11, 16)} UTC</time>`)}</p>
<p class="actions"><a class="button" href="/receipts?follow=1">Follow what it does</a><a class="button second" href="/keys/agents/${linkId}">Its keys</a></p>`;
  return {
    status: 200,
    title: 'First call',
    main: html`${pageTop({ above: [['Connect an agent', `/connect?client=${client.id}`]], title: name })}
<div class="narrow" role="status">${next}</div>`,
  };
}
