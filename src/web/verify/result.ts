import { receiptRows } from '../../verifier/receipt-rows.js';
import type { Claim, Report } from '../../verifier/report.js';
import type { Row } from '../../verifier/rows.js';
import { element, icon, make } from './elements.js';
import { count, type Summary, states } from './summary.js';

const section = element('result', HTMLElement);
/** Spoken by screen readers when it changes, so it holds the one sentence and nothing long. */
const verdict = element('verdict', HTMLElement);
const findings = element('findings', HTMLElement);

const titles: Readonly<Record<Claim['name'], string>> = {
  entry: 'Entry',
  content: 'Content',
  inclusion: 'Inclusion',
  checkpoint: 'Checkpoint',
  consistency: 'Consistency',
  opentimestamps: 'OpenTimestamps',
  ethereum: 'Ethereum',
};

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
    receiptTable(source, report),
    make('h2', {}, 'Claims'),
    make('ol', { class: 'claims' }, ...report.claims.map(claimItem)),
  );
}

export function showFault(source: string, sentence: string): void {
  section.dataset.tone = 'unreadable';
  const note = make('p', { class: 'note' }, 'Nothing in ', make('bdi', {}, source), ' was checked.');
  verdict.replaceChildren(icon('failed'), make('p', { class: 'sentence' }, sentence), note);
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

function receiptTable(source: string, { receipt }: Report): HTMLElement {
  const from: Row = { name: 'Read from', values: [source] };
  // A description list in a group per row keeps name and value together, however they are laid out.
  return make('dl', { class: 'receipt' }, ...[...rowsOf(receipt), from].map(receiptRow));
}

function rowsOf(receipt: Report['receipt']): Row[] {
  if (!receipt) return [];
  const { receipt_id, kind, recorded_at, seq, workspace_id, hash } = receipt;
  const rows: Row[] = [
    { name: 'Receipt', values: [receipt_id] },
    { name: 'Kind', values: [kind] },
    { name: 'Recorded', values: [recorded_at] },
    { name: 'Number', values: [`${seq} in workspace ${workspace_id}`] },
    { name: 'Hash', values: [hash] },
  ];
  const unreadable = { name: receipt.task === null ? 'Task' : 'Fields', values: ['Its fields cannot be read.'] };
  return [...rows, ...(receiptRows(receipt) ?? [unreadable])];
}

function receiptRow({ name, values }: Row): HTMLElement {
  const lines = values.map((value) => make('dd', {}, make('bdi', {}, value)));
  return make('div', {}, make('dt', {}, name), ...lines);
}

function claimItem({ name, state, text, details }: Claim): HTMLElement {
  const title = titles[name];
  const item = make(
    'li',
    { 'data-state': state },
    icon(state),
    make('h3', {}, title),
    make('span', { class: 'state' }, state),
    make('p', {}, text),
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
      make('td', {}, make('bdi', {}, String(value))),
    ),
  );
  const summary = make('summary', {}, 'Values');
  summary.setAttribute('aria-label', `Values of ${title}`);
  return make('details', {}, summary, make('table', {}, make('tbody', {}, ...rows)));
}
