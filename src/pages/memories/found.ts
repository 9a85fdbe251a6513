import type { z } from 'zod';
import { type hit, searchResult } from '../../../contracts/search.js';
import { searchOperation } from '../../api/memories/search.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { identity } from '../components/identity.js';
import { empty, notice } from '../components/messages.js';
import { said } from '../components/said.js';
import { time } from '../components/time.js';
import { type ListPlace, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import type { AskedSearch } from './asked-search.js';

type Hit = z.output<typeof hit>;
type Result = z.output<typeof searchResult>;

const k = 10;
const tokenBudget = 8000;

/** Searches, or repeats the answer of the same search. @throws Refusal as the API does */
export function searchFor(
  { query, namespace, once, tests }: AskedSearch,
  request: PersonRequest,
  parts: PageParts,
): Promise<Result> {
  const where = namespace === '' ? {} : { namespace_ids: [namespace] };
  const filters = tests === true ? { filters: { include_playground: true } } : {};
  const body = JSON.stringify({ query, k, token_budget: tokenBudget, ...where, ...filters });
  return ask(searchResult, searchOperation, request, { body, idempotencyKey: once }, parts);
}

interface Around {
  /** Those of the namespaces, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: number;
  /** The list to which the page of a hit leads back; null where it is no list. */
  readonly place: Pick<ListPlace, 'address'> | null;
  /** The address of the list that is shown without a search; /memories without it. */
  readonly list?: string;
}

/** The hits of a search, and how it went. */
export function foundSection(result: Result, around: Around): Html {
  const { data, receipt_id: id } = result;
  const [own, lent] = [data.filter(hasOwn), data.filter((one) => !hasOwn(one))];
  const hits = (all: readonly Hit[]) => html`<ul class="cards">${all.map((one) => hitCard(one, around))}</ul>`;
  return html`<section><h2 tabindex="-1" autofocus>Found <small>${counted(data.length, 'memory', 'memories')}, the best first</small></h2>
<p class="hint">A search, recorded as receipt ${identity(id, `/receipts/${id}`)}.</p>
${result.degraded.map((reason) => notice(degraded[reason]))}${leftOut(result.left_out)}
${data.length === 0 ? empty('No memory fits this query. Try other words, or look through the list.', html`<a class="button second" href="${around.list ?? '/memories'}">Show the list</a>`) : undefined}
${own.length > 0 && hits(own)}
${lent.length > 0 && html`<details class="after"><summary>${counted(lent.length, 'memory', 'memories')} found only by the messages around ${lent.length === 1 ? 'it' : 'them'}</summary>${hits(lent)}</details>`}
</section>`;
}

/** Whether a memory was found by its own words or its own meaning. */
const hasOwn = ({ signals: { dense, keyword } }: Hit): boolean => dense !== null || keyword !== null;

function hitCard(one: Hit, { names, now, place }: Around): Html {
  const { memory_id: id, content, score, why, signals, source, created_at, namespace_id, truncated } = one;
  const shown = score.toFixed(2);
  const matched = signals.matched.slice(0, 16).map((word) => html`<li class="badge">${said(word)}</li>`);
  return html`<li class="card hit"><div class="memory">${said(content)}${truncated && '…'}</div>
<p class="hint"><meter min="0" max="1" value="${shown}">${shown}</meter> ${shown} · ${said(why)}</p>
${matched.length > 0 && html`<ul class="badges" aria-label="Words that match">${matched}</ul>`}
<p class="hint"><a href="${withPlace(`/m/${id}`, place)}">Open the memory</a> · in ${said(names.get(namespace_id) ?? namespace_id)}${source !== null && html` · from ${said(source)}`} · ${time(created_at, now)}</p></li>`;
}

const degraded: Readonly<Record<Result['degraded'][number], string>> = {
  dense_quota: 'The month’s searches by meaning are used up, so only words were compared.',
  dense_unavailable: 'The model that compares meanings does not answer, so only words were compared.',
  dense_disabled: 'Searching by meaning is switched off, so only words were compared.',
  keyword_unavailable: 'The index of words does not answer, so only meanings were compared.',
  reindexing: 'Memories are being indexed again, so some may be missing.',
};

function leftOut({ budget, invalidated }: Result['left_out']): Html | undefined {
  const sentences = [
    budget > 0 && `${counted(budget, 'more memory', 'more memories')} had no room in this answer.`,
    invalidated > 0 && `${counted(invalidated, 'invalidated memory', 'invalidated memories')} would match, too.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : notice(sentences.join(' '));
}
