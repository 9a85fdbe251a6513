import { approvalMemories } from '../../../contracts/delete-selected.js';
import { Refusal } from '../../../contracts/errors.js';
import { approvalMemoriesOperation } from '../../api/approvals/memories.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { problem } from '../components/messages.js';
import { said } from '../components/said.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { olderAt } from '../lists.js';
import type { PageParts, PersonRequest } from '../page.js';

/** The filter of a delete, if it has one, and a page of the memories that it would delete. */
export async function memoriesOfApproval(
  id: string,
  request: PersonRequest,
  parts: PageParts,
): Promise<Html | undefined> {
  try {
    const cursor = request.query.get('after');
    const given = { params: { approval_id: id }, query: { limit: '50', ...(cursor === null ? {} : { cursor }) } };
    const { filter, count, left, data, next_cursor } = await ask(
      approvalMemories,
      approvalMemoriesOperation,
      request,
      given,
      parts,
    );
    return html`<section><h2>What would be deleted</h2>
${filter === null ? html`<p class="hint">${count === 1 ? 'The memory of the request, if it is still there.' : `The memories among the ${count} ids of the request that there are now.`}</p>` : byFilter(filter, left, count)}
${table({
  caption: 'Memories that would be deleted, newest first',
  columns: [
    { name: 'Memory', look: 'wide-cell' },
    { name: 'Written', look: 'number' },
  ],
  rows: data.map((one) => ({
    cells: [
      html`<a class="whole" href="/m/${one.id}">${said(one.excerpt)}</a>${one.source !== null && html`<small>${said(one.source)}</small>`}`,
      time(one.created_at, request.now),
    ],
  })),
  end: pager(counted(data.length, 'memory', 'memories'), olderAt(request.path, next_cursor, 'after')),
})}</section>`;
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return problem(error.message);
    throw error;
  }
}

function byFilter(filter: object, left: number, count: number): Html {
  return html`<p class="hint">${left} of ${count} memories that this filter selected when the request was made. What was written later is not among them.</p>
<pre class="memory"><code>${JSON.stringify(filter, null, 2)}</code></pre>`;
}
