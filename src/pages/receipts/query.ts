import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { call } from '../../api/call.js';
import { hasOwnQuery } from '../../api/receipts/open-query.js';
import { queryProofOperation } from '../../api/receipts/receipts.js';
import { stringify } from '../../base/json-text.js';
import { hidden, textArea } from '../components/fields.js';
import { done, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { path } from './filters.js';
import { claimsIn, claimsSection } from './proof.js';
import { headline, readReceipt } from './read.js';
import type { Receipt } from './sentence.js';
import type { Claim } from './steps.js';

/** Adds its query to the bundle of a search. The query is sent once more, because the service keeps only a commitment to it. */
export const queryPage: PersonPage = {
  path: `${path}/:receipt_id/query`,
  access: 'a person',
  ofMemoryApi: true,
  writesNothing: true,
  show: (request, parts) => opening(request, parts, { claims: null, refusal: null }),
  async submit(request, parts) {
    const { form, client, params, visitor } = request;
    try {
      const body = stringify({ query: form.one('query').replaceAll('\r\n', '\n') });
      const answer = await call(queryProofOperation, { caller: visitor.caller, client, params, body }, parts);
      if (form.one('do') !== 'bundle')
        return opening(request, parts, { claims: await claimsIn(answer.body, request, parts), refusal: null });
      const { id } = await readReceipt(params.receipt_id ?? '', request, parts);
      return { file: `${id}.json`, type: 'application/json', parts: once(stringify(answer.body)) };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_query')
        return opening(request, parts, { claims: null, refusal: error });
      throw error;
    }
  },
};

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

interface Checked {
  readonly claims: readonly Claim[] | null;
  readonly refusal: Refusal | null;
}

async function opening(request: PersonRequest, parts: PageParts, { claims, refusal }: Checked): Promise<Shown> {
  const { names = {}, ...receipt } = await readReceipt(request.params.receipt_id ?? '', request, parts);
  if (!canOpen(receipt, request)) throw new Refusal('receipt_not_found', 'There is no query that you could add.');
  return {
    status: refusal?.status ?? 200,
    title: 'Add the query of a search',
    main: html`${pageTop({
      above: [
        ['Receipts', path],
        [`Entry ${receipt.seq}`, `${path}/${receipt.id}`],
      ],
      title: html`Add the query`,
    })}
<p>${headline(receipt, names)}</p>
<p class="lead">The service does not store what was searched for, only a commitment to it. Type the query exactly as it was: with it the bundle proves what was searched for. It is not stored now, either.</p>
${problem(refusal && sentenceOf(refusal))}
${done(claims === null ? undefined : 'The receipt commits to this query.')}
<form class="narrow" method="post" action="${path}/${receipt.id}/query">${hidden('token', request.token)}
${textArea({ name: 'query', label: 'Query', value: request.form.one('query'), more: html`rows="3" required maxlength="${limits.queryCharacters}" autocomplete="off"` })}
<p class="actions"><button name="do" value="check">Check the query</button><button class="second" name="do" value="bundle">Download the bundle with it</button></p></form>
${claims && claimsSection(claims)}`,
  };
}

/** The part of the page of a search that leads here, for those who may open its query. */
export function queryPart(receipt: Receipt, request: PersonRequest): Html | undefined {
  if (receipt.kind !== 'memory.recall') return undefined;
  const way = canOpen(receipt, request)
    ? html`<p class="actions"><a class="button second" href="${path}/${receipt.id}/query">Add the query</a></p>`
    : html`<p class="hint">Only the one who has searched can add it.</p>`;
  return html`<section class="narrow"><h2>Query</h2>
<p>The receipt commits to the query, which the service does not store. With the query the bundle proves what was searched for.</p>
${way}</section>`;
}

function canOpen(receipt: Receipt, { visitor }: PersonRequest): boolean {
  return hasOwnQuery(receipt, visitor.caller);
}
