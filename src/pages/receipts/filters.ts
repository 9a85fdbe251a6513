import { hidden } from '../components/fields.js';
import { icon } from '../components/icons.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import { type Actors, actorChoice } from './actors.js';
import { momentField, momentIn, usualTimes } from './times.js';

export const path = '/receipts';

/** The filters of the list, as the address of the page has them. */
export interface Filters {
  readonly kind?: string;
  readonly namespace?: string;
  readonly actor?: string;
  readonly since?: string;
  readonly until?: string;
  /** The session of task receipts. */
  readonly session?: string;
}

const filterNames = ['kind', 'namespace', 'actor', 'since', 'until', 'session'] as const;

/** The parts of an address besides the filters: the page, the receipt beside the list, and whether the list is followed. */
interface At {
  readonly before?: string | undefined;
  readonly open?: string | undefined;
  readonly follow?: string;
}

export function filtersIn(query: URLSearchParams): Filters {
  const given = filterNames.map((name) => {
    const value = query.get(name)?.trim() ?? '';
    return [name, name === 'since' || name === 'until' ? momentIn(value) : value] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The address of the list with these filters. */
export function listAddress(filters: Filters, at: At = {}): string {
  const query = new URLSearchParams({ ...filters });
  for (const [name, value] of Object.entries(at)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

const kinds: readonly (readonly [value: string, text: string])[] = [
  ['', 'All kinds'],
  ['memory.*', 'Memories'],
  ['memory.write', 'Memories written'],
  ['memory.recall', 'Searches'],
  ['memory.delete', 'Memories deleted'],
  ['approval,approval.*', 'Approvals'],
  ['task', 'Task receipts'],
  ['decision,handoff', 'Decisions and handoffs'],
  ['namespace.*', 'Namespaces'],
  ['key.*,agent_key.*,attestation_key.*', 'Keys'],
  ['agent.*,erc8004.*', 'Agents'],
  ['member.*,workspace.*,rules.*', 'Workspace and people'],
  ['grant.*', 'Grants'],
  ['webhook.*', 'Webhooks'],
];

/** The choices of the form besides those that are the same for everyone. */
interface Choices {
  /** The names of the namespaces, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly actors: Actors;
  /** The name of the actor of the address, as far as it is known. */
  readonly actor: string;
  readonly now: number;
  /** The text in the field that finds one receipt. */
  readonly wanted: string;
}

export function filterForm(filters: Filters, { names, actors, actor, now, wanted }: Choices): Html {
  const { kind = '', namespace = '', since = '', until = '' } = filters;
  const places = [['', 'All namespaces'] as const, ...names];
  return html`<form class="tools" method="get" action="${path}" role="search" data-live>
<label class="search"><span class="spoken">Find a receipt by its id, its hash or its session</span>${icon('search')}<input name="find" value="${wanted}" placeholder="Receipt id, hash or session" maxlength="512"></label>
${choice('kind', 'Kind', kinds, [kind, kind])}${(names.size > 1 || namespace !== '') && choice('namespace', 'Namespace', places, [namespace, `Namespace ${namespace}`])}
${actorChoice(actors, filters.actor ?? '', actor)}
<div class="moments">${momentField('since', 'From', since)}${momentField('until', 'To', until)}</div>
${filters.session !== undefined && hidden('session', filters.session)}
<button class="second">Filter</button>${timeChips(filters, now)}${filters.session !== undefined && sessionChip(filters)}</form>`;
}

/** @param chosen the value that is chosen, with its text for when it is none of the options */
function choice(
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: readonly [string, string],
): Html {
  const [value] = chosen;
  const all = options.some(([one]) => one === value) ? options : [...options, chosen];
  const shown = all.map(
    ([one, text]) => html`<option value="${one}"${one === value && html` selected`}>${text}</option>`,
  );
  return html`<label><span class="spoken">${label}</span><select name="${name}">${shown}</select></label>`;
}

/** The lists from the usual times on, or the list without its times. */
function timeChips({ since, until, ...others }: Filters, now: number): Html {
  if (since !== undefined || until !== undefined)
    return html`<a class="chip" data-live href="${listAddress(others)}">At any time ${icon('x')}</a>`;
  return html`${usualTimes(now).map(([at, text]) => html`<a class="chip" data-live href="${listAddress({ ...others, since: at })}">${text}</a>`)}`;
}

function sessionChip({ session = '', ...others }: Filters): Html {
  return html`<a class="chip" href="${listAddress(others)}">session ${said(session)} ${icon('x')}<span class="spoken">Show all sessions</span></a>`;
}
