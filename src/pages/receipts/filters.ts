import { hidden } from '../components/fields.js';
import { icon } from '../components/icons.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';

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
  const given = filterNames.map((name) => [name, query.get(name)?.trim() ?? ''] as const);
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

const minute = 60_000;
const day = 24 * 60 * minute;

/** Times in addresses are absolute, so that a link shows the same receipts tomorrow. */
function times(now: number): readonly (readonly [value: string, text: string])[] {
  const ago = (days: number) => new Date(Math.floor(now / minute) * minute - days * day).toISOString();
  return [
    ['', 'At any time'],
    [ago(1), 'Last 24 hours'],
    [ago(7), 'Last 7 days'],
  ];
}

/** @param names those of the namespaces, by their ids */
export function filterForm(
  filters: Filters,
  names: ReadonlyMap<string, string>,
  actor: string,
  now: number,
  wanted: string,
): Html {
  const { kind = '', namespace = '', since = '' } = filters;
  const places = [['', 'All namespaces'] as const, ...names];
  const sinceText = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(since) ? `${since.slice(0, 16).replace('T', ' ')} UTC` : since;
  return html`<form class="tools" method="get" action="${path}" role="search" data-live>
<label class="search"><span class="spoken">Find a receipt by its id, its hash or its session</span>${icon('search')}<input name="find" value="${wanted}" placeholder="Receipt id, hash or session" maxlength="512"></label>
${choice('kind', 'Kind', kinds, [kind, kind])}${(names.size > 1 || namespace !== '') && choice('namespace', 'Namespace', places, [namespace, `Namespace ${namespace}`])}
${choice('since', 'Since', times(now), [since, `Since ${sinceText}`])}${filters.actor !== undefined && hidden('actor', filters.actor)}
${filters.session !== undefined && hidden('session', filters.session)}
<button class="second">Filter</button>${filters.actor !== undefined && actorChip(filters, actor)}${filters.session !== undefined && sessionChip(filters)}</form>`;
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

function actorChip({ actor: _, ...others }: Filters, name: string): Html {
  return html`<a class="chip" href="${listAddress(others)}">by ${said(name)} ${icon('x')}<span class="spoken">Show everyone</span></a>`;
}

function sessionChip({ session = '', ...others }: Filters): Html {
  return html`<a class="chip" href="${listAddress(others)}">session ${said(session)} ${icon('x')}<span class="spoken">Show all sessions</span></a>`;
}
