import { approvalMemories } from '../../../contracts/delete-selected.js';
import { Refusal } from '../../../contracts/errors.js';
import { approvalMemoriesOperation } from '../../api/approvals/memories.js';
import { ask } from '../ask.js';
import { problem } from '../components/messages.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
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
${filter === null ? html`<p>${count === 1 ? 'The memory of the request, if it is still there.' : `The memories among the ${count} ids of the request that there are now.`}</p>` : byFilter(filter, left, count)}
<ul class="cards">${data.map(
      (one) => html`<li class="card"><p><bdi>${one.excerpt}</bdi></p>
<dl class="facts">
<div><dt>Written</dt><dd>${time(one.created_at, request.now)}</dd></div>
${one.source === null ? undefined : html`<div><dt>Source</dt><dd><bdi>${one.source}</bdi></dd></div>`}
<div><dt>Memory</dt><dd><a href="/m/${one.id}"><code>${one.id}</code></a></dd></div>
</dl></li>`,
    )}</ul>
${next_cursor === null ? undefined : html`<p class="after"><a href="${request.path}?after=${encodeURIComponent(next_cursor)}">Older</a></p>`}</section>`;
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return problem(error.message);
    throw error;
  }
}

function byFilter(filter: object, left: number, count: number): Html {
  return html`<p>${left} of ${count} memories that this filter selected when the request was made. What was written later is not among them.</p>
<pre class="memory"><code>${JSON.stringify(filter, null, 2)}</code></pre>`;
}
