import { approvalList } from '../../../contracts/approvals.js';
import { logAnchors } from '../../../contracts/log-anchors.js';
import { ingestList } from '../../../contracts/memory.js';
import { usage } from '../../../contracts/plans.js';
import { receiptList } from '../../../contracts/receipt-list.js';
import { workspaceWebhooks } from '../../../contracts/webhooks.js';
import { approvalListOperation } from '../../api/approvals/approvals.js';
import { callAs } from '../../api/call.js';
import { jobListOperation } from '../../api/ingest/ingest.js';
import { anchorsOperation } from '../../api/public-log/anchors.js';
import { receiptListOperation } from '../../api/receipts/list.js';
import { workspaceWebhooksOperation } from '../../api/webhooks/of-workspace.js';
import { usageOperation } from '../../api/workspace/usage.js';
import { ask, read } from '../ask.js';
import { empty, notice } from '../components/messages.js';
import { said } from '../components/said.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import { receiptRows } from '../receipts/rows.js';
import { tiles } from './part.js';

/** As many as are counted; more are shown as "25+". */
const mostCounted = 25;

/** The things that wait for a person. Nothing where nothing waits. */
export async function waiting(request: PersonRequest, parts: PageParts): Promise<Html | undefined> {
  const query = { status: 'pending', limit: String(mostCounted) };
  const approvals = await ask(approvalList, approvalListOperation, request, { query }, parts);
  const count = counted(approvals);
  if (approvals.data.length === 0) return html`<p class="hint">Nothing waits for you.</p>`;
  const newest = approvals.data
    .slice(0, 3)
    .map(
      ({ id, summary, created_at }) =>
        html`<li><a href="/approvals/${id}">${said(summary)}</a> <small>${time(created_at, request.now)}</small></li>`,
    );
  return html`<p><a href="/approvals">${count} request${count === '1' ? '' : 's'}</a> wait${count === '1' ? 's' : ''} for a decision.</p><ul class="plain">${newest}</ul>`;
}

/** Imports that have failed. Nothing where none has. */
export async function failedImports(request: PersonRequest, parts: PageParts): Promise<Html | undefined> {
  const query = { stage: 'failed', limit: String(mostCounted) };
  const failed = await ask(ingestList, jobListOperation, request, { query }, parts);
  if (failed.data.length === 0) return undefined;
  const shown = failed.data.slice(0, 3).map(({ label, memory_id, failure_reason, created_at }) => {
    const why = failure_reason === null ? undefined : html`: ${said(failure_reason)}`;
    return html`<li><a href="/m/${memory_id}">${said(label || 'A text')}</a>${why} <small>${time(created_at, request.now)}</small></li>`;
  });
  return html`<p><a href="/import?stage=failed">${counted(failed)} import${failed.data.length === 1 ? '' : 's'}</a> failed, and can be tried again.</p><ul class="plain">${shown}</ul>`;
}

/** Webhooks whose deliveries are refused, or that send nothing any more. Nothing where all is well. */
export async function refusedWebhooks(request: PersonRequest, parts: PageParts): Promise<Html | undefined> {
  const query = { limit: '100' };
  const { data } = await ask(workspaceWebhooks, workspaceWebhooksOperation, request, { query }, parts);
  const refused = data.filter(({ status }) => status !== 'active');
  if (refused.length === 0) return undefined;
  const shown = refused.slice(0, 3).map(({ id, name, host, agent, status, last_status_code: code }) => {
    const to = `/webhooks/${agent.agent_id}/${id}`;
    const why = status === 'disabled' ? 'disabled' : code === null ? 'no answer' : `answer ${code}`;
    return html`<li><a href="${to}">${said(name ?? host)}</a>: ${why}</li>`;
  });
  return html`<p>Deliveries of <a href="/webhooks">${refused.length} webhook${refused.length === 1 ? '' : 's'}</a> do not arrive.</p><ul class="plain">${shown}</ul>`;
}

function counted({
  data,
  next_cursor,
}: {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}): string {
  return next_cursor === null ? String(data.length) : `${data.length}+`;
}

/** The part of the plan that is used, for people over the limit too. */
export async function used(request: PersonRequest, parts: PageParts): Promise<Html> {
  const { plan, actions, memories, people, resets_at } = await ask(usage, usageOperation, request, {}, parts);
  const all = [
    { name: 'Actions this month', ...actions },
    { name: 'Memories', ...memories },
    { name: 'People', ...people },
  ];
  const isFull = all.some(({ used: of, limit }) => limit !== null && of >= limit);
  return html`${isFull && notice(html`The plan ${plan} is used up. Writes are refused until ${time(resets_at, request.now)}, when the actions of the month are counted from zero again, or until the plan is changed. Reading, searching and checking still work.`)}
${tiles(all.map(({ name, used: of, limit }) => ({ name, figure: of.toLocaleString('en'), detail: limit === null ? 'without a limit' : html`<meter min="0" max="${limit}" value="${Math.min(of, limit)}">${of} of ${limit}</meter> of ${limit.toLocaleString('en')}` })))}
<p class="note">Plan ${plan}. Actions are counted from zero again on ${resets_at.slice(0, 10)}.</p>`;
}

/** The newest receipts, as sentences. */
export async function newest(request: PersonRequest, parts: PageParts): Promise<Html> {
  const query = { limit: '8', include: 'names' };
  const list = await ask(receiptList, receiptListOperation, request, { query }, parts);
  if (list.data.length === 0) return empty('There is no receipt yet. Each write and each search makes one.');
  const around = { now: request.now, anchoring: parts.services.service.anchoring };
  return html`${receiptRows({ ...list, next_cursor: null }, { filters: {}, follows: true, isPart: true }, around)}
<p class="after"><a href="/receipts">All receipts</a></p>`;
}

/** The newest checkpoint of the transparency log, in which all receipts are. */
export async function log({ client, now }: PersonRequest, parts: PageParts): Promise<Html> {
  const { data } = read(
    logAnchors,
    await callAs({ anybody: true }, anchorsOperation, { client, query: { limit: '25' } }, parts),
  );
  const [head] = data;
  if (head === undefined)
    return html`<p class="hint">The log has no checkpoint yet. One is signed within a minute after the first write.</p>`;
  const isOn = parts.services.service.anchoring.bitcoin;
  const inBitcoin = data.find(({ opentimestamps }) => opentimestamps?.state === 'confirmed');
  return tiles([
    {
      name: 'Leaves of the log',
      figure: head.size.toLocaleString('en'),
      detail: 'heads of the chains of all workspaces',
    },
    { name: 'Newest checkpoint', figure: time(head.signed_at, now), detail: `${head.witnesses.length} witnesses` },
    {
      name: 'In Bitcoin',
      figure: inBitcoin ? `up to ${inBitcoin.size.toLocaleString('en')}` : '–',
      detail: inBitcoin ? undefined : isOn ? 'no checkpoint is confirmed yet' : 'off in this installation',
    },
  ]);
}

/** The warnings of the service, for those who run it. */
export async function warnings(parts: PageParts): Promise<Html | undefined> {
  const all = await parts.services.service.health.warnings();
  if (all.length === 0) return undefined;
  return html`<ul class="plain">${all.map((one) => html`<li>${one}</li>`)}</ul>
<p class="note"><a href="/developers/operating/troubleshooting">Troubleshooting</a> says what to do.</p>`;
}
