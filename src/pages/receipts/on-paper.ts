import { facts } from '../components/facts.js';
import { fullTime } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { Receipt } from './sentence.js';
import type { Claim } from './steps.js';

/** The line above a printed receipt, which has no header. It is not seen on a screen. */
export const paperTitle = ({ seq }: Receipt): Html =>
  html`<p class="on-paper">Counterfoil · receipt of entry ${seq}</p>`;

/** The button that opens the print dialog. Without a script the browser's own menu prints the page just as well. */
export const printButton: Html = html`<cf-print></cf-print>`;

interface Around {
  readonly claims: readonly Claim[];
  readonly baseUrl: string;
  readonly now: number;
}

/** The facts for someone who holds only the paper: where the receipt is, which checkpoint covers it, and how to check it. */
export function paperSection({ id }: Receipt, { claims, baseUrl, now }: Around): Html {
  const { origin, size, root } = claims.find(({ name }) => name === 'checkpoint')?.details ?? {};
  return html`<section class="on-paper"><h2>To check this sheet</h2>
<p>A sheet of paper proves nothing by itself. Fetch the bundle of the receipt, check it at ${baseUrl}/verify or, without this service, with <code>counterfoil verify ${id}.json</code>, and compare the hash and the checkpoint with those on this sheet.</p>
${facts([
  ['Page', html`<code>${baseUrl}/receipts/${id}</code>`],
  ['Bundle', html`<code>${baseUrl}/v1/receipts/${id}/proof</code>`],
  origin !== undefined && ['Log', html`<code>${origin}</code>`],
  size !== undefined && ['Checkpoint', html`${size} leaves`],
  root !== undefined && ['Its root', html`<code>${root}</code>`],
  ['Checked', html`${fullTime(new Date(now).toISOString())}, by this service`],
])}</section>`;
}
