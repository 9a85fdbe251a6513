import { Refusal } from '../../../contracts/errors.js';
import { memoryRecalls } from '../../../contracts/recalls.js';
import { receiptList } from '../../../contracts/receipt-list.js';
import { memoryRecallsOperation } from '../../api/memories/recalls.js';
import { didInWords } from '../../api/receipts/in-words.js';
import { receiptListOperation } from '../../api/receipts/list.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { identity } from '../components/identity.js';
import { said } from '../components/said.js';
import { time } from '../components/time.js';
import { type Happened, timeline } from '../components/timeline.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import { actorName, iconOf, type Names, type Receipt } from '../receipts/sentence.js';

/** As many receipts as the history of a memory shows at once. */
const shown = 100;
const newestRecalls = 5;

/** The receipts of one memory, oldest first. Undefined where there is none that the person may see. */
export async function historySection(
  memoryId: string,
  request: PersonRequest,
  parts: PageParts,
): Promise<Html | undefined> {
  const query = { memory_id: memoryId, limit: String(shown), include: 'names' };
  const { data, next_cursor, names = {} } = await ask(receiptList, receiptListOperation, request, { query }, parts);
  if (data.length === 0) return undefined;
  const recalls = await recallsOf(memoryId, request, parts);
  const events = [...data.map((one) => event(one, names, request.now)), ...recalls]
    .sort((one, other) => one.recordedAt.localeCompare(other.recordedAt))
    .map(({ happened }) => happened);
  const count =
    next_cursor === null ? `${counted(data.length, 'receipt', 'receipts')}.` : `The newest ${data.length} receipts.`;
  const searches =
    recalls.length === newestRecalls ? ` Of the searches that found it, the newest ${newestRecalls}.` : '';
  return html`<section><h2>History</h2>${timeline(events)}
<p class="note">${count}${searches} Searches of namespaces that you cannot read are not shown.</p></section>`;
}

/** An event with the time by which the history is sorted. */
interface Dated {
  readonly recordedAt: string;
  readonly happened: Happened;
}

function event(receipt: Receipt, names: Names, now: number): Dated {
  const { id, kind, recorded_at } = receipt;
  const happened: Happened = {
    icon: iconOf(kind),
    sentence: html`<b>${said(actorName(receipt, names))}</b> ${didInWords(kind)}`,
    receipt: identity(id, `/receipts/${id}`),
    at: time(recorded_at, now),
  };
  return { recordedAt: recorded_at, happened };
}

/** The newest searches that had the memory among their results; none of a deleted one. */
async function recallsOf(memoryId: string, request: PersonRequest, parts: PageParts): Promise<readonly Dated[]> {
  const given = { params: { memory_id: memoryId }, query: { limit: String(newestRecalls), include: 'names' } };
  try {
    const { data, names = {} } = await ask(memoryRecalls, memoryRecallsOperation, request, given, parts);
    return data.map(({ receipt_id, recorded_at, rank, results, mode, actor }) => ({
      recordedAt: recorded_at,
      happened: {
        icon: 'scan-search',
        sentence: html`<b>${said(actorName({ actor }, names))}</b> found it`,
        detail: html`${rank} of ${results}, ${modes[mode] ?? mode}`,
        receipt: identity(receipt_id, `/receipts/${receipt_id}`),
        at: time(recorded_at, request.now),
      },
    }));
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return [];
    throw error;
  }
}

const modes: Readonly<Record<string, string>> = {
  fused: 'by words and meaning',
  keyword: 'by words',
  dense: 'by meaning',
};
