import type { z } from 'zod';
import type { webhook } from '../../../contracts/webhooks.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { table } from '../components/table.js';
import { time } from '../components/time.js';
import { type ListPlace, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import { patternWords } from './pattern.js';

export type Webhook = z.output<typeof webhook>;

export const webhooksPath = '/webhooks';

/** A webhook without a name is known by the host that it notifies. */
export const titleOf = ({ name, host }: Pick<Webhook, 'name' | 'host'>): string => name ?? host;

interface Around {
  /** The agent that the webhooks belong to. */
  readonly agentId: string;
  /** The list to which the page of a webhook leads back. */
  readonly place: ListPlace | null;
  /** Names of namespaces and agents by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: number;
}

/** Webhooks of one agent as a table. */
export function webhookRows(all: readonly Webhook[], { agentId, place, names, now }: Around): Html {
  return table({
    caption: 'Webhooks, newest first',
    columns: [
      { name: 'Webhook', look: 'wide-cell' },
      { name: 'Reports memories', look: 'words not-on-phones' },
      { name: 'State' },
      { name: 'Last sent', look: 'number' },
    ],
    rows: all.map((one) => ({
      cells: [
        html`<a class="whole" href="${withPlace(`${webhooksPath}/${agentId}/${one.id}`, place)}">${said(titleOf(one))}</a>${one.name !== null && html`<small>${said(one.host)}</small>`}`,
        patternWords(one.pattern, names),
        stateOf(one.status),
        lastSent(one, now),
      ],
    })),
  });
}

export function stateOf(status: Webhook['status']): Html {
  if (status === 'active') return state('verified', 'active');
  return status === 'failing' ? state('failed', 'failing') : state('absent', 'disabled');
}

function lastSent({ last_delivery_at: at, last_status_code: code }: Webhook, now: number): Html {
  if (at === null) return html`<span class="none">nothing yet</span>`;
  return html`${time(at, now)}<small>${code === null ? 'no answer' : `answer ${code}`}</small>`;
}
