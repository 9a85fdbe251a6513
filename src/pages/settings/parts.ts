import type { z } from 'zod';
import type { attestationKeyList } from '../../../contracts/attestation-keys.js';
import type { workspace as workspaceShape } from '../../../contracts/workspace.js';
import { copied } from '../components/copied.js';
import { facts } from '../components/facts.js';
import { hidden, textArea, textField } from '../components/fields.js';
import { icon } from '../components/icons.js';
import { identity } from '../components/identity.js';
import { empty } from '../components/messages.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PersonRequest } from '../page.js';

type Workspace = z.output<typeof workspaceShape>;
type AttestationKeys = z.output<typeof attestationKeyList>;

const action = '/settings';

export function namePart({ id, name, plan, created_at }: Workspace, { form, token, now }: PersonRequest): Html {
  const typed = form.one('do') === 'rename' ? form.one('name') : name;
  return html`<section class="narrow"><h2>Workspace</h2>
${facts([
  ['Plan', plan],
  ['Made', time(created_at, now)],
  ['Id', copied(identity(id), id)],
])}
<form method="post" action="${action}">${hidden('token', token)}
${textField({ name: 'name', label: 'Name', value: typed, more: html`maxlength="64" autocomplete="off" required` })}
<p class="actions"><button name="do" value="rename">Save the name</button></p></form></section>`;
}

const visible = [
  'the handle of the agent, the platform, the vendor and the capability',
  'the status, the times and the cost',
  'the hash of the receipt',
  'every text in “market”, such as counterparties, segments and the names of workflows, claimants and respondents, but not invoice and workflow ids',
];

/** The button that makes receipts public stands below the list of what becomes public: that cannot be made private again. */
export function publishingPart({ publish_task_receipts, public_tag }: Workspace, { token }: PersonRequest): Html {
  const list = html`<ul>${visible.map((one) => html`<li>${one}</li>`)}</ul>`;
  const off = html`<p>From then on, everyone sees of each new task receipt of this workspace:</p>${list}
<p>Summaries, inputs and outputs stay private. A receipt stays as public as it was when it was recorded: one that was published stays public.</p>
<p class="actions"><button class="second" name="do" value="publish">Publish from now on</button></p>`;
  const on = html`<p>Everyone sees of each task receipt that is recorded now:</p>${list}
<p>Those that were published stay public when you stop.</p>
<p class="actions"><button class="second" name="do" value="stop">Stop publishing</button></p>`;
  return html`<section class="narrow"><h2>Publishing</h2>
<p class="hint">${publish_task_receipts ? state('verified', 'New task receipts are public') : state('absent', 'Task receipts are private')}</p>
${facts([['Public name', html`<code>${public_tag}</code> <small>says nothing about this workspace, and never changes</small>`]])}
<form method="post" action="${action}" class="words">${hidden('token', token)}${publish_task_receipts ? on : off}</form></section>`;
}

/** The keys whose signatures under task receipts count. */
export function attestationPart({ data }: AttestationKeys, request: PersonRequest): Html {
  const { token, form, now } = request;
  const rows = data.map(({ id, name, public_key, created_at }) => ({
    cells: [
      name === null ? html`<span class="none">no name</span>` : said(name),
      identity(public_key),
      time(created_at, now),
      html`<form method="post" action="${action}" class="inline">${hidden('token', token)}${hidden('key_id', id)}<button class="second small" name="do" value="remove">Remove<span class="spoken"> ${said(name ?? public_key)}</span></button></form>`,
    ],
  }));
  const list = table({
    caption: 'Attestation keys, newest first',
    columns: [
      { name: 'Name', look: 'wide-cell' },
      { name: 'Key', look: 'not-on-phones' },
      { name: 'Added', look: 'number' },
      { name: 'Remove', look: 'number', spoken: true },
    ],
    rows,
  });
  const key = textArea({
    name: 'public_key',
    label: 'Public key',
    value: form.one('public_key'),
    hint: 'An Ed25519, P-256 or secp256k1 key: PEM, JWK, did:key, multibase, or the bytes of an Ed25519 key in hex.',
    more: html`rows="3" maxlength="8192" required`,
  });
  const name = textField({
    name: 'key_name',
    label: 'Name',
    value: form.one('key_name'),
    hint: 'Whose key it is. It may stay empty.',
    more: html`maxlength="64" autocomplete="off"`,
  });
  return html`<section class="narrow"><h2>Attestation keys</h2>
<p class="hint">Signatures of these keys under task receipts are checked, and count as attestations. Keys of agents that were linked with proof count as well.</p>
${data.length === 0 ? empty('There is no attestation key yet.') : list}
<h3>Add a key</h3>
<form method="post" action="${action}">${hidden('token', token)}
${key}${name}<p class="actions"><button class="second" name="do" value="add">Add the key</button></p></form></section>`;
}

/** The way out with everything. */
export function exportPart(memoryApi: boolean): Html {
  const card = (name: string, words: Html, to: string) =>
    html`<li class="card"><p>${name}</p><p>${words}</p><p class="actions"><a class="button second" href="${to}" download>${icon('download')}Download the ${name.toLowerCase()}</a></p></li>`;
  const memories = html`Every memory with its metadata, as one file that <code>counterfoil import</code> takes, here or in another installation.`;
  const receipts = html`Every entry of the workspace exactly as it was hashed, one on each line. Texts of memories are not in it. <code>counterfoil export-receipts</code> writes the same lines, with a proof that none is missing.`;
  return html`<section class="narrow" id="export"><h2>Export</h2><ul class="cards">
${memoryApi && card('Memories', memories, '/settings/memories.jsonl')}${card('Receipts', receipts, '/settings/receipts.jsonl')}</ul></section>`;
}
