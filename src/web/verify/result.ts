import type { Claim, Fact, Report } from '../../verifier/report.js';
import { plain, type Row } from '../../verifier/rows.js';
import { element, icon, make } from '../elements.js';
import { count, type Summary, states, titles } from './summary.js';

const section = element('result', HTMLElement);
/** Spoken by screen readers when it changes, so it holds the one sentence and nothing long. */
const verdict = element('verdict', HTMLElement);
const findings = element('findings', HTMLElement);

/** @param source what was checked, such as a file's name */
export function showReport(source: string, report: Report, { tone, sentence, notes }: Summary): void {
  section.dataset.tone = tone;
  verdict.replaceChildren(
    icon(tone),
    make('p', { class: 'sentence' }, sentence),
    ...notes.map((note) => make('p', { class: 'note' }, note)),
  );
  findings.replaceChildren(
    make('ul', { class: 'counts', 'aria-label': 'Claims by state' }, ...counts(report)),
    ...saidBy(source, report),
    make('h2', {}, 'Claims'),
    make('ol', { class: 'claims' }, ...report.claims.map(claimItem)),
  );
}

export function showFault(source: string, sentence: string): void {
  section.dataset.tone = 'unreadable';
  const note = make('p', { class: 'note' }, 'Nothing in ', make('bdi', {}, plain(source)), ' was checked.');
  verdict.replaceChildren(icon('failed'), make('p', { class: 'sentence' }, plain(sentence, 2000)), note);
  findings.replaceChildren();
}

function counts(report: Report): HTMLElement[] {
  return states.map((state) => {
    const number = count(report, state);
    const item = make('li', { 'data-state': state }, icon(state), `${number} ${state}`);
    if (number === 0) item.classList.add('none');
    return item;
  });
}

/** The content of the receipt, with the claim beside each line that the line depends on. */
function saidBy(source: string, { receipt, claims }: Report): HTMLElement[] {
  // A description list in a group per row keeps name and value together, however they are laid out.
  const list = (rows: readonly HTMLElement[]) => make('dl', { class: 'receipt' }, ...rows);
  const from = rowOf({ name: 'Read from', values: [plain(source)] }, null);
  if (!receipt) return [list([from])];
  const { receipt_id, kind, hash, story, task, decision, close } = receipt;
  const state = claims.find(({ name }) => name === 'entry')?.state ?? 'absent';
  const ofEntry = (name: string, value: string) => rowOf({ name, values: [plain(value)] }, { claim: 'entry', state });
  const isUnreadable = task === null || decision === null || close === null;
  return [
    make('h2', {}, 'What the receipt says'),
    make('p', { class: 'said' }, make('bdi', {}, story.sentence)),
    list([
      ...(isUnreadable ? [ofEntry(task === null ? 'Task' : 'Fields', 'Its fields cannot be read.')] : []),
      ...story.facts.map((fact) => rowOf(fact, fact)),
      ofEntry('Receipt', receipt_id),
      ofEntry('Kind', kind),
      ofEntry('Hash', hash),
      from,
    ]),
  ];
}

function rowOf({ name, values }: Row, about: Pick<Fact, 'claim' | 'state'> | null): HTMLElement {
  // Ids and hashes are compared character by character; everything else is read.
  const lines = values.map((value) =>
    make('dd', {}, make('bdi', /^\S{12,}$/.test(value) ? { class: 'id' } : {}, value)),
  );
  const row = make('div', {}, make('dt', {}, name), ...lines);
  if (about === null) return row;
  const { claim, state } = about;
  const badge = make('dd', { class: 'about', 'data-state': state }, icon(state), titles[claim]);
  badge.append(make('span', { class: 'spoken' }, ` ${state}`));
  row.append(badge);
  return row;
}

function claimItem({ name, state, text, details }: Claim): HTMLElement {
  const title = titles[name];
  const item = make(
    'li',
    { 'data-state': state },
    icon(state),
    make('h3', {}, title),
    make('span', { class: 'state' }, state),
    make('p', {}, plain(text, 4000)),
  );
  const values = Object.entries(details);
  if (values.length > 0) item.append(foldedValues(title, values));
  return item;
}

function foldedValues(title: string, values: readonly (readonly [string, string | number])[]): HTMLElement {
  const rows = values.map(([name, value]) =>
    make(
      'tr',
      {},
      make('th', { scope: 'row' }, name.replaceAll('_', ' ')),
      make('td', {}, make('bdi', {}, plain(String(value), 4000))),
    ),
  );
  const summary = make('summary', {}, 'Values');
  summary.setAttribute('aria-label', `Values of ${title}`);
  return make('details', {}, summary, make('table', {}, make('tbody', {}, ...rows)));
}
