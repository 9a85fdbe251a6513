import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { delivery, deliveryList } from '../../../contracts/webhooks.js';
import { deliveryListOperation, redeliverOperation } from '../../api/webhooks/deliveries.js';
import { titleOf as agentTitle } from '../agents/agent.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { facts } from '../components/facts.js';
import { hidden } from '../components/fields.js';
import { begun, empty, notice, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { listPlace, placeField, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import { pageQuery } from '../lists.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { patternWords } from './pattern.js';
import { mayWrite, namesFor, readsOnly, webhookAt } from './read.js';
import { stateOf, titleOf, webhooksPath } from './rows.js';

type Delivery = z.output<typeof delivery>;

/** One webhook with its deliveries, each of which can be sent again. */
export const webhookPage: PersonPage = {
  path: `${webhooksPath}/:agn_id/:webhook_id`,
  access: 'a person',
  ofMemoryApi: true,
  writesNothing: true,
  show: (request, parts) => webhook(request, parts, null),
  async submit(request, parts): Promise<PageAnswer> {
    const { form, params } = request;
    const delivery_id = form.one('delivery');
    try {
      const { named, webhook } = await webhookAt(request, parts);
      const given = {
        params: { webhook_id: webhook.id, delivery_id },
        idempotencyKey: form.one('once'),
      };
      await ask(delivery, redeliverOperation, named, given, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.code !== 'webhook_not_found')
        return webhook(request, parts, error);
      throw error;
    }
    const own = `${webhooksPath}/${params.agn_id}/${params.webhook_id}?sent=${delivery_id}`;
    const at = form.one('state');
    return {
      location: withPlace(isState(at) ? `${own}&state=${at}` : own, listPlace(webhooksPath, request)),
    };
  },
};

const states = { pending: 'waiting', delivered: 'delivered', dead: 'given up' } as const;
const isState = (text: string | null): text is keyof typeof states => text !== null && Object.hasOwn(states, text);

async function webhook(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { agent, webhook: one, named } = await webhookAt(request, parts);
  const { query, now } = request;
  const place = listPlace(webhooksPath, request);
  const own = `${webhooksPath}/${agent.agent_id}/${one.id}`;
  const names = await namesFor(request, parts);
  const writes = mayWrite(request);
  return {
    status: refusal?.status ?? 200,
    title: titleOf(one),
    main: html`${pageTop({ above: [['Webhooks', place?.address ?? webhooksPath]], title: said(titleOf(one)) })}
${!writes && readsOnly}${problem(refusal && sentenceOf(refusal))}${query.has('sent') && refusal === null && begun('The delivery is sent again. Its row shows the answer as soon as there is one.')}
${one.disabled_reason !== undefined && notice(one.disabled_reason)}
${facts([
  ['Sends to', html`${said(one.host)} <small>of the address only the host is shown</small>`],
  ['Agent', said(agentTitle(agent))],
  ['Reports memories', patternWords(one.pattern, names)],
  ['State', stateOf(one.status)],
  ['Made', time(one.created_at, now)],
])}
<section><h2>Deliveries <small>newest first, of the last 30 days</small></h2>${await deliveries(named, parts, { own, writes })}</section>
${writes && html`<section class="end"><h2>Delete the webhook</h2><p>What waits is not sent any more.</p><p class="actions"><a class="button danger" href="${withPlace(`${own}/delete`, place)}">Delete the webhook</a></p></section>`}`,
  };
}

interface Around {
  /** The address of the page of the webhook. */
  readonly own: string;
  readonly writes: boolean;
}

async function deliveries(request: PersonRequest, parts: PageParts, { own, writes }: Around): Promise<Html> {
  const { query: given, params, form } = request;
  const place = listPlace(webhooksPath, request);
  const wanted = given.get('state') ?? form.one('state');
  const filter = isState(wanted) ? wanted : null;
  const at = (name: keyof typeof states | null) => withPlace(name === null ? own : `${own}?state=${name}`, place);
  const chip = (name: keyof typeof states | null, text: string) =>
    html`<li><a class="chip" href="${at(name)}" data-live${name === filter && html` aria-current="true"`}>${text}</a></li>`;
  const chips = html`<ul class="chips" aria-label="State">${chip(null, 'All')}${chip('pending', 'Waiting')}${chip('delivered', 'Delivered')}${chip('dead', 'Given up')}</ul>`;
  try {
    const query = { ...pageQuery(request), ...(filter !== null && { state: filter }), limit: '25' };
    const webhook_id = params.webhook_id ?? '';
    const asked = { params: { webhook_id }, query };
    const { data, next_cursor } = await ask(deliveryList, deliveryListOperation, request, asked, parts);
    if (data.length === 0) return html`${filter !== null && chips}${nothing(filter, at(null))}`;
    const before = next_cursor === null ? null : `before=${encodeURIComponent(next_cursor)}`;
    const next = before === null ? null : `${own}?${filter === null ? '' : `state=${filter}&`}${before}`;
    return html`${chips}${table({
      caption: 'Deliveries, newest first',
      columns: [
        { name: 'Memory' },
        { name: 'State', look: 'wide-cell' },
        ...(writes ? [{ name: 'Send again', look: 'number', spoken: true }] : []),
      ],
      rows: data.map((one) => ({ cells: cellsOf(one, { own, writes, filter, request, parts }) })),
      end: pager(counted(data.length, 'delivery', 'deliveries'), next === null ? null : withPlace(next, place)),
    })}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return html`${problem(html`${sentenceOf(error)} <a href="${at(null)}">Try again</a>`)}`;
  }
}

const nothing = (filter: string | null, all: string): Html =>
  filter === null
    ? empty('Nothing was sent yet. A memory that fits is sent when it becomes ready.')
    : empty('No delivery is in this state.', html`<a class="button second" href="${all}">Show all deliveries</a>`);

interface RowAround extends Around {
  readonly filter: string | null;
  readonly request: PersonRequest;
  readonly parts: PageParts;
}

function cellsOf(one: Delivery, { own, writes, filter, request, parts }: RowAround): readonly Html[] {
  const { now, token } = request;
  const again = html`<form class="inline" method="post" action="${own}">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}${hidden('delivery', one.id)}${hidden('state', filter ?? '')}${placeField(listPlace(webhooksPath, request))}<button class="second small">Send again<span class="spoken"> the delivery of ${time(one.created_at, now)}</span></button></form>`;
  return [
    html`<a class="id" href="/m/${one.memory_id}" title="${one.memory_id}">…${one.memory_id.slice(-6)}</a><small>${time(one.created_at, now)}</small>`,
    html`${stateOfDelivery(one, now)}${answer(one)}`,
    ...(writes ? [again] : []),
  ];
}

function stateOfDelivery({ state: is, attempts, next_attempt_at: next, updated_at }: Delivery, now: number): Html {
  const tried = attempts === 0 ? 'not tried yet' : `${attempts} attempt${attempts === 1 ? '' : 's'}`;
  if (is === 'delivered') return html`${state('verified', states[is])}<small>${time(updated_at, now)}</small>`;
  if (is === 'dead') return html`${state('failed', states[is])}<small>${tried}</small>`;
  return html`${state('waits', states[is])}<small>${tried}${next !== null && html`, next ${time(next, now)}`}</small>`;
}

function answer({ last_status_code: code, last_error: error }: Delivery): Html | undefined {
  if (code === null && error === null) return undefined;
  return html`<small>${code !== null && html`answer <code>${code}</code>${error !== null && ': '}`}${error !== null && said(error)}</small>`;
}
