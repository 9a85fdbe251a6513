import type { z } from 'zod';
import { namedReceipt } from '../../../contracts/any-receipt.js';
import { Refusal } from '../../../contracts/errors.js';
import { didInWords } from '../../api/receipts/in-words.js';
import { receiptOperation } from '../../api/receipts/receipts.js';
import { ask } from '../ask.js';
import { type Fact, facts } from '../components/facts.js';
import { icon } from '../components/icons.js';
import { identity } from '../components/identity.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest } from '../page.js';
import { anchorOf } from './anchored.js';
import { path } from './filters.js';
import { proofOf } from './proof.js';
import { actorName, bodyOf, type Names, namespaceName, objectOf, type Receipt, textOf } from './sentence.js';

/** The page of one receipt, with its proof as this service checks it. */
export const receiptPage: PersonPage = {
  path: `${path}/:receipt_id`,
  access: 'a person',
  async show(request, parts) {
    const { names = {}, ...receipt } = await readReceipt(request, parts);
    const object = objectOf(receipt, names);
    const proof = await proofOf(receipt, request, parts);
    return {
      status: 200,
      title: `Receipt ${receipt.seq}`,
      main: html`<p class="crumbs"><a href="${path}">Receipts</a></p>
<div class="title"><h1>${said(actorName(receipt, names))} ${didInWords(receipt.kind)}${object && html` <small>${object}</small>`}</h1>
<div class="actions"><a class="button second" href="/v1/receipts/${receipt.id}/proof" download="${receipt.id}.json">${icon('download')}Download the bundle</a></div></div>
${proof.way}
<section><h2>What the entry says</h2>${factsOf(receipt, names, request.now)}</section>
${proof.claims}`,
    };
  },
};

/** @throws Refusal receipt_not_found, also for a receipt that the person may not see */
async function readReceipt(request: PersonRequest, parts: PageParts): Promise<z.output<typeof namedReceipt>> {
  const { params } = request;
  try {
    return await ask(namedReceipt, receiptOperation, request, { params, query: { include: 'names' } }, parts);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'namespace_out_of_scope') throw new Refusal('receipt_not_found');
    throw error;
  }
}

function factsOf(receipt: Receipt, names: Names, now: number): Html {
  const { id, kind, seq, hash, prev_hash, recorded_at, actor } = receipt;
  const body = bodyOf(receipt);
  const [memoryId, namespaceId] = [textOf(body.memory_id), textOf(body.namespace_id)];
  const actorId = textOf(actor.id);
  return facts([
    [
      'Who',
      html`${said(actorName(receipt, names))}${actorId !== '' && html` <a href="${path}?actor=${encodeURIComponent(actorId)}">all receipts</a>`}`,
    ],
    ...actorFacts(receipt, names),
    ['Did', html`${didInWords(kind)} <code>${kind}</code>`],
    ['When', html`${time(recorded_at, now)}, ${recorded_at.slice(0, 19).replace('T', ' ')} UTC according to the entry`],
    namespaceId !== '' && ['Namespace', namespaceName(namespaceId, names)],
    memoryId !== '' && ['Memory', identity(memoryId, `/m/${memoryId}`)],
    ...saidFacts(receipt),
    ['Entry', seq],
    ['Proof', state(...anchorOf(receipt))],
    ['Receipt', identity(id)],
    ['Hash', html`<code class="id">${hash}</code>`],
    ['Hash before', html`<code class="id">${prev_hash}</code>`],
  ]);
}

/** Whom the actor has acted for, and how the request came. */
function actorFacts(receipt: Receipt, names: Names): readonly (Fact | false)[] {
  const { actor } = receipt;
  const stated = { Agent: actor.agent_id, Application: actor.app_id, Run: actor.run_id, Over: actor.via };
  return Object.entries(stated).map(([name, value]) => {
    const text = textOf(value);
    return text !== '' && text !== actorName(receipt, names) && [name, said(names[text] ?? text)];
  });
}

/** The text of decisions, handoffs and task receipts, as long as it was not erased. */
function saidFacts(receipt: Receipt): readonly Fact[] {
  const own = 'task' in receipt ? receipt.task : 'decision' in receipt ? receipt.decision : undefined;
  const all = own ?? ('handoff' in receipt ? receipt.handoff : {});
  const erased = 'private_erased' in receipt && receipt.private_erased;
  const shown = Object.entries(all).flatMap(([name, value]): Fact[] =>
    typeof value === 'string' || typeof value === 'number' ? [[titleOf(name), said(String(value))]] : [],
  );
  return erased ? [...shown, ['Text', 'erased with its salt']] : shown;
}

function titleOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}
