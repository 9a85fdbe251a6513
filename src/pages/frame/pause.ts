import { namedReceipt } from '../../../contracts/any-receipt.js';
import { Refusal } from '../../../contracts/errors.js';
import { session as sessionShape } from '../../../contracts/session.js';
import { callAs } from '../../api/call.js';
import type { Client } from '../../api/operation.js';
import { receiptOperation } from '../../api/receipts/receipts.js';
import { sessionOperation } from '../../api/session/session.js';
import { ask, read } from '../ask.js';
import { icon } from '../components/icons.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PageParts, Visitor } from '../page.js';

/** The pause of all agents of a workspace, as a page shows it. */
export interface Pause {
  readonly since: string;
  /** The name of the person who has paused them; null where it is not known, such as after that person has left. */
  readonly by: string | null;
  readonly receipt: string;
}

/** The parts of a session that are not about its person alone. */
export interface Standing {
  /** Null where agents are not paused. */
  readonly pause: Pause | null;
  /** Whether the person runs the service. */
  readonly isOperator: boolean;
}

/** @throws Refusal */
export async function standingOf(visitor: Visitor, client: Client, parts: PageParts): Promise<Standing> {
  const answer = await callAs({ session: visitor.session }, sessionOperation, { client }, parts);
  const { paused, operator: isOperator } = read(sessionShape, answer);
  if (paused === null) return { pause: null, isOperator };
  const { since, by, receipt_id: receipt } = paused;
  const name = by === null ? null : await nameOf(by, receipt, { visitor, client }, parts);
  return { pause: { since, by: name, receipt }, isOperator };
}

/** People of every role may read the receipt of the pause, and only some may list the members. */
async function nameOf(
  id: string,
  receipt: string,
  who: { readonly visitor: Visitor; readonly client: Client },
  parts: PageParts,
): Promise<string | null> {
  try {
    const given = { params: { receipt_id: receipt }, query: { include: 'names' } };
    const { names } = await ask(namedReceipt, receiptOperation, who, given, parts);
    return names?.[id] ?? null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

interface Around {
  readonly role: string;
  /** The page that is shown. */
  readonly path: string;
  readonly now: number;
}

/** The line above each page while agents are paused. */
export function pauseBanner({ since, by }: Pause, { role, path, now }: Around): Html {
  const resume = role === 'owner' && path !== '/rules' ? html` <a href="/rules">Resume them</a>` : undefined;
  return html`<aside class="banner" aria-label="Pause"><p>${icon('pause')} <strong>All agents were paused</strong> ${time(since, now)}${by && html` by <bdi>${by}</bdi>`}. What agents and keys write or delete is refused until an owner resumes them.${resume}</p></aside>`;
}
