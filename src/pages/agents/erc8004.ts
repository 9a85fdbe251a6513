import type { z } from 'zod';
import { erc8004Link } from '../../../contracts/erc8004.js';
import { Refusal } from '../../../contracts/errors.js';
import { erc8004GetOperation } from '../../api/agents/erc8004.js';
import { ask } from '../ask.js';
import { copied } from '../components/copied.js';
import { facts } from '../components/facts.js';
import { identity } from '../components/identity.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import { type Agent, agentsPath } from './agent.js';

/** The link of an agent to an agent of ERC-8004. */
export type Erc8004Link = z.output<typeof erc8004Link>;

export const erc8004Path = (id: string): string => `${agentsPath}/${id}/erc8004`;

/** Null where the agent has no such link. @throws Refusal */
export async function erc8004LinkOf(
  { id }: Agent,
  request: PersonRequest,
  parts: PageParts,
): Promise<Erc8004Link | null> {
  try {
    return await ask(erc8004Link, erc8004GetOperation, request, { params: { link_id: id } }, parts);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'agent_not_found') return null;
    throw error;
  }
}

/** The part of the page of an agent about ERC-8004: its link, or how it gets one, or why it cannot have one here. */
export async function erc8004Part(agent: Agent, request: PersonRequest, parts: PageParts): Promise<Html> {
  const link = await erc8004LinkOf(agent, request, parts);
  const to = erc8004Path(agent.id);
  if (link !== null)
    return html`${erc8004Facts(link, agent, parts)}<p class="after"><a href="${to}">Change or end the link</a></p>`;
  const missing = whyNot(agent, parts);
  if (missing !== null) return html`<p class="hint">${missing}</p>`;
  return html`<p class="hint">It is linked to no agent of an ERC-8004 registry on Ethereum. Once it is, the service gives feedback there about its public task receipts.</p>
<p class="actions"><a class="button second" href="${to}">Link it to ERC-8004</a></p>`;
}

export function erc8004Facts(link: Erc8004Link, agent: Agent, { services }: PageParts): Html {
  const { chain_id, registry, agent_id } = link.erc8004;
  return facts([
    ['Agent there', html`number <code>${agent_id}</code>`],
    ['Registry', copied(html`<code>${registry}</code>`, registry)],
    ['Chain', html`<code>eip155:${chain_id}</code>`],
    ['Agreed by', agreed(link)],
    ['Receipt', identity(link.receipt_id, `/receipts/${link.receipt_id}`)],
    ['Registration file', registrationFile(agent, services.service.baseUrl)],
  ]);
}

const agreed = ({ proof, account }: Erc8004Link): Html =>
  proof === 'registration'
    ? html`the registration file of the agent there`
    : html`the ${proof === 'owner' ? 'owner' : 'wallet'} of the agent there${account !== null && html`, ${identity(account)}`}`;

/** The file in the form of ERC-8004 that this service makes of the identity. */
export const registrationFile = ({ agent_id }: Agent, baseUrl: string): Html => {
  const path = `/v1/agent-id/${agent_id}/registration.json`;
  return copied(html`<a href="${path}"><code>${baseUrl}${path}</code></a>`, `${baseUrl}${path}`);
};

/** Why no link can be made; null where one can. */
export function whyNot({ proved }: Agent, { services }: PageParts): Html | null {
  const guide = html`<a href="/developers/guides/erc8004">Agents on ERC-8004</a>`;
  if (services.access.erc8004 === null)
    return html`This service is connected to no registry of ERC-8004 on Ethereum, so agents cannot be linked to one. ${guide} says which settings its operator makes.`;
  if (!proved)
    return html`Only an agent that is linked with a proof can be linked to an agent of ERC-8004. ${guide} says why.`;
  return null;
}
