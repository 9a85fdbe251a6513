import type { z } from 'zod';
import { receiptTrace } from '../../../contracts/any-receipt.js';
import { Refusal } from '../../../contracts/errors.js';
import { receiptTraceOperation } from '../../api/receipts/trace.js';
import { ask } from '../ask.js';
import { problem, sentenceOf } from '../components/messages.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import { path } from './filters.js';
import { type Receipt, textOf } from './sentence.js';

type Node = z.output<typeof receiptTrace>['data'][number];

/** Rows of a tree that a page shows; a browser becomes slow with many more. */
const mostRows = 500;

/** The task receipts of the same trace or session as a tree, each with its duration. Nothing where there is only the receipt itself. */
export async function traceSection(
  receipt: Receipt,
  request: PersonRequest,
  parts: PageParts,
): Promise<Html | undefined> {
  if (receipt.kind !== 'task') return undefined;
  let trace: z.output<typeof receiptTrace>;
  try {
    trace = await ask(receiptTrace, receiptTraceOperation, request, { params: { receipt_id: receipt.id } }, parts);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return html`<section><h2>Trace</h2>${problem(html`${sentenceOf(error)} <a href="${path}/${receipt.id}">Try again</a>`)}</section>`;
  }
  const { data, truncated } = trace;
  const [first] = data;
  if (first === undefined || (data.length === 1 && first.children.length === 0)) return undefined;
  const longest = Math.max(1, ...durations(data));
  const left = { rows: mostRows };
  const shown = branches(data, { current: receipt.id, longest, left });
  const isCut = left.rows <= 0;
  return html`<section><h2>Trace <small>task receipts of the same trace or session</small></h2>${shown}
${(isCut || truncated) && html`<p class="note">There are more. <code>GET /v1/receipts/${receipt.id}/trace</code> shows up to 1,000.</p>`}</section>`;
}

interface Drawing {
  readonly current: string;
  /** The longest duration in milliseconds, which fills the bar. */
  readonly longest: number;
  readonly left: { rows: number };
}

function branches(nodes: readonly Node[], drawing: Drawing): Html | undefined {
  if (nodes.length === 0) return undefined;
  return html`<ul class="tree">${nodes.map((node) => {
    if (drawing.left.rows <= 0) return undefined;
    drawing.left.rows -= 1;
    const row = rowOf(node, drawing);
    const below = branches(node.children, drawing);
    return below === undefined
      ? html`<li>${row}</li>`
      : html`<li><details open><summary>${row}</summary>${below}</details></li>`;
  })}</ul>`;
}

function rowOf({ receipt }: Node, { current, longest }: Drawing): Html {
  const task = taskOf(receipt);
  const name = [task.agent_handle, task.platform].map(textOf).find((one) => one !== '') ?? receipt.id;
  const status = textOf(task.status);
  const ms = durationOf(receipt);
  const bar =
    ms !== null &&
    html` <meter min="0" max="${longest}" value="${ms}">${ms} ms</meter> <span class="number">${ms.toLocaleString('en')} ms</span>`;
  const link =
    receipt.id === current
      ? html`<b aria-current="true">${said(name)}</b>`
      : html`<a href="${path}/${receipt.id}">${said(name)}</a>`;
  return html`<span class="span">${link}${status !== '' && html` <span class="badge">${said(status)}</span>`}${bar}</span>`;
}

function durations(nodes: readonly Node[]): number[] {
  return nodes.flatMap(({ receipt, children }) => [durationOf(receipt) ?? 0, ...durations(children)]);
}

function taskOf(receipt: Receipt): Readonly<Record<string, unknown>> {
  return 'task' in receipt ? receipt.task : {};
}

/** In milliseconds; null where the receipt states no times, or an end before its start. */
function durationOf(receipt: Receipt): number | null {
  const { started_at, ended_at } = taskOf(receipt);
  const ms = Date.parse(textOf(ended_at)) - Date.parse(textOf(started_at));
  return Number.isNaN(ms) || ms < 0 ? null : ms;
}
