import { approvalList } from '../../../contracts/approvals.js';
import { Refusal } from '../../../contracts/errors.js';
import { approvalListOperation } from '../../api/approvals/approvals.js';
import type { Client } from '../../api/operation.js';
import { ask } from '../ask.js';
import type { PageParts, Visitor } from '../page.js';
import type { HeaderPerson } from './header.js';
import { type Standing, standingOf } from './pause.js';

/** More than these are not counted for the header. */
const mostCounted = 99;

/** The person for the header of a page of the console, with the number of requests that wait for a decision, and the pause of agents. */
export async function headerPersonOf(visitor: Visitor, client: Client, parts: PageParts): Promise<HeaderPerson> {
  const { id, person } = visitor.session;
  const signOutToken = parts.formTokens.of(id, '/sign-out');
  const [waiting, standing] = [await waitingOf(visitor, client, parts), await knownStanding(visitor, client, parts)];
  const now = parts.services.writing.world.now().getTime();
  return { view: person, signOutToken, waiting, ...standing, memoryApi: parts.memoryApi, now };
}

/** No pause and no operator where it cannot be known: the page itself says then what is wrong. */
export async function knownStanding(visitor: Visitor, client: Client, parts: PageParts): Promise<Standing> {
  try {
    return await standingOf(visitor, client, parts);
  } catch (error) {
    if (error instanceof Refusal) return { pause: null, isOperator: false };
    throw error;
  }
}

/** Null where nothing waits, and where it cannot be known: the page itself says then what is wrong. */
async function waitingOf(visitor: Visitor, client: Client, parts: PageParts): Promise<string | null> {
  try {
    const query = { status: 'pending', limit: String(mostCounted) };
    const list = await ask(approvalList, approvalListOperation, { visitor, client }, { query }, parts);
    if (list.data.length === 0) return null;
    return list.next_cursor === null ? String(list.data.length) : `${mostCounted}+`;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
