import type { z } from 'zod';
import { receiptList } from '../../../contracts/receipt-list.js';
import { receiptListOperation } from '../../api/receipts/list.js';
import { meanings } from '../../verifier/story/kinds.js';
import { ask } from '../ask.js';
import type { IconName } from '../components/icons.js';
import { identity } from '../components/identity.js';
import { said } from '../components/said.js';
import { time } from '../components/time.js';
import { type Happened, timeline } from '../components/timeline.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';

type Receipt = z.output<typeof receiptList>['data'][number];

/** As many receipts as the history of a memory shows at once. */
const shown = 100;

/** The receipts of one memory, oldest first. Undefined where there is none that the person may see. */
export async function historySection(
  memoryId: string,
  request: PersonRequest,
  parts: PageParts,
): Promise<Html | undefined> {
  const query = { memory_id: memoryId, limit: String(shown) };
  const { data, next_cursor } = await ask(receiptList, receiptListOperation, request, { query }, parts);
  if (data.length === 0) return undefined;
  const events = [...data].reverse().map((one) => event(one, request.now));
  const count = next_cursor === null ? `${data.length} receipts.` : `The newest ${data.length} receipts.`;
  return html`<section><h2>History</h2>${timeline(events)}
<p class="note">${count} Searches of namespaces that you cannot read are not shown.</p></section>`;
}

const icons: Readonly<Record<string, IconName>> = {
  'memory.write': 'file-text',
  'memory.recall': 'scan-search',
  'memory.delete': 'trash-2',
  'memory.invalidated': 'ban',
  'memory.reinstated': 'rotate-ccw',
};

function event(receipt: Receipt, now: number): Happened {
  const { id, kind, recorded_at, actor } = receipt;
  return {
    icon: icons[kind] ?? 'activity',
    sentence: html`<b>${said(actorName(actor))}</b> ${meanings[kind]?.did ?? kind}`,
    receipt: identity(id),
    at: time(recorded_at, now),
  };
}

function actorName(actor: Readonly<Record<string, unknown>>): string {
  const { id, app_id, type } = actor;
  if (typeof app_id === 'string') return app_id;
  return type === 'system' ? 'The service' : String(id ?? 'Someone');
}
