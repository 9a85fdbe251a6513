import { Refusal } from '../../../contracts/errors.js';
import { proofReport } from '../../../contracts/receipt.js';
import { call, callAs } from '../../api/call.js';
import { proofOperation } from '../../api/receipts/receipts.js';
import { verifyOperation } from '../../api/receipts/verify.js';
import { stringify } from '../../base/json-text.js';
import { read } from '../ask.js';
import { type Fact, facts } from '../components/facts.js';
import { problem, sentenceOf } from '../components/messages.js';
import { said } from '../components/said.js';
import { type StateKind, state } from '../components/state.js';
import { strip } from '../components/strip.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import type { Receipt } from './sentence.js';
import { type Claim, stepsOf } from './steps.js';

const titles: Readonly<Record<Claim['name'], string>> = {
  entry: 'Entry',
  content: 'Content',
  inclusion: 'Inclusion',
  checkpoint: 'Checkpoint',
  consistency: 'Consistency',
  opentimestamps: 'OpenTimestamps',
  ethereum: 'Ethereum',
  witnesses: 'Witnesses',
  range: 'Range',
};

const kinds: Readonly<Record<Claim['state'], StateKind>> = {
  verified: 'verified',
  failed: 'failed',
  'not checked': 'not-checked',
  absent: 'absent',
};

interface Proof {
  readonly way: Html;
  readonly claims: Html | undefined;
  /** The claims themselves; none where they cannot be made. */
  readonly found: readonly Claim[];
  /** The state in which the whole is shown. */
  readonly tone: 'verified' | 'failed' | 'not-checked';
}

/** The way of a receipt to the public chains, and the claims of its bundle. The rest of the page stays when they cannot be made. */
export async function proofOf(receipt: Receipt, request: PersonRequest, parts: PageParts): Promise<Proof> {
  try {
    const claims = await checked(receipt.id, request, parts);
    const tone = claims.some(({ state }) => state === 'failed') ? 'failed' : 'verified';
    return {
      tone,
      found: claims,
      way: html`<section><h2>Proof</h2>${strip(stepsOf(claims, receipt, { now: request.now, anchoring: parts.services.service.anchoring }))}
<p class="note">Checked by this service with its own keys. <a href="/verify">Verify the bundle yourself</a>, without this service.</p></section>`,
      claims: claimsSection(claims),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const again = html`<a href="/receipts/${receipt.id}">Try again</a>`;
    return {
      tone: 'not-checked',
      found: [],
      way: html`<section><h2>Proof</h2>${problem(html`${sentenceOf(error)} ${again}`)}</section>`,
      claims: undefined,
    };
  }
}

/** The claims of a bundle, each with its state. */
export function claimsSection(claims: readonly Claim[]): Html {
  return html`<section><h2>Claims of the bundle</h2>${facts(claims.map(claimFact))}</section>`;
}

function claimFact({ name, state: found, text }: Claim): Fact {
  return [titles[name], html`${state(kinds[found], found)}<br>${said(text)}`];
}

/** The claims of the bundle of a receipt. @throws Refusal */
async function checked(id: string, request: PersonRequest, parts: PageParts): Promise<readonly Claim[]> {
  const { client, visitor } = request;
  const given = { caller: visitor.caller, client, params: { receipt_id: id } };
  return claimsIn((await call(proofOperation, given, parts)).body, request, parts);
}

/** The claims of a bundle, as the public route checks it. @throws Refusal */
export async function claimsIn(
  bundle: unknown,
  { client }: Pick<PersonRequest, 'client'>,
  parts: PageParts,
): Promise<readonly Claim[]> {
  const answer = await callAs({ anybody: true }, verifyOperation, { client, body: stringify(bundle) }, parts);
  return read(proofReport, answer).claims;
}
