import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { keyList } from '../../../contracts/keys.js';
import { memberList } from '../../../contracts/members.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { keyListOperation } from '../../api/keys/keys.js';
import { memberListOperation } from '../../api/workspace/members.js';
import { ask } from '../ask.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';

type Named = readonly (readonly [id: string, name: string])[];

/** The actors by which a list of receipts can be filtered, by their kinds. */
export interface Actors {
  readonly people: Named;
  readonly keys: Named;
  readonly agents: Named;
}

/** As many of each kind as the choice has; a link from a receipt leads to those of every other actor. */
const query = { limit: '100' };

/** The actors that the API lists for this person: all of them for owners and admins, and for other roles the agents and the person. */
export async function actorsFor(request: PersonRequest, parts: PageParts): Promise<Actors> {
  const { role, member_id: id, email } = request.visitor.session.person;
  const agents = await orNone(async () => {
    const { data } = await ask(agentList, agentListOperation, request, { query }, parts);
    return data.map(({ agent_id, name, handle }) => [agent_id, name ?? handle ?? agent_id] as const);
  });
  if (role !== 'owner' && role !== 'admin') return { people: [[id, email]], keys: [], agents };
  const people = await orNone(async () => {
    const { data } = await ask(memberList, memberListOperation, request, {}, parts);
    return data.map((one) => [one.id, one.email] as const);
  });
  const keys = await orNone(async () => {
    const { data } = await ask(keyList, keyListOperation, request, { query }, parts);
    return data.map((one) => [one.key_id, one.name ?? one.key_id] as const);
  });
  return { people, keys, agents };
}

/** A choice without one kind of actor is better than no list. */
async function orNone(read: () => Promise<Named>): Promise<Named> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/**
 * The choice of the actor. The actor of the address stays chosen, also where it is gone or not listed.
 * @param shown the name of that actor, as far as it is known
 */
export function actorChoice({ people, keys, agents }: Actors, chosen: string, shown: string): Html {
  const option = ([id, name]: readonly [string, string]) =>
    html`<option value="${id}"${id === chosen && html` selected`}>${name}</option>`;
  const group = (label: string, all: Named) =>
    all.length > 0 && html`<optgroup label="${label}">${all.map(option)}</optgroup>`;
  const isListed = chosen === '' || [...people, ...keys, ...agents].some(([id]) => id === chosen);
  return html`<label><span class="spoken">Who</span><select name="actor"><option value="">Anyone</option>${!isListed && option([chosen, shown])}${group('People', people)}${group('Keys', keys)}${group('Agents', agents)}</select></label>`;
}

/** The filter of the API for an actor: agents have one of their own, because they act with keys. */
export function actorQuery(actor: string | undefined): Readonly<Record<string, string>> {
  if (actor === undefined) return {};
  return /^agn_[a-z2-7]{32}$/.test(actor) ? { agent: actor } : { actor };
}
