import { hidden, textField } from '../components/fields.js';
import { problem } from '../components/messages.js';
import { shownOnce } from '../components/shown-once.js';
import type { Form } from '../form.js';
import { type Html, html } from '../html.js';
import { type ChosenNamespaces, namespaceBoxes } from '../namespaces/all.js';
import type { Shown } from '../page.js';

/** The values of a form that makes a key, as they were typed. */
export interface KeyDraft {
  readonly name: string;
  readonly access: string;
  readonly namespaces: readonly string[];
  readonly find: string;
}

/** Value → label, explanation and the scopes of the API. */
const accesses = {
  read: ['Read', 'Search and read memories, and their receipts.', ['memory.read']],
  write: ['Read and write', 'The same, and write and delete memories.', ['memory.read', 'memory.write']],
  all: ['Everything with memories', 'The same, and export whole namespaces.', []],
  receipts: [
    'Read all receipts',
    'All receipts of the workspace with their proofs and export, also about people, keys and rules. No memory is opened.',
    ['receipts.read'],
  ],
} as const;
type Access = keyof typeof accesses;

/** Keys of agents are always limited by scopes. */
export const accessesOf = {
  'API keys': ['read', 'write', 'all', 'receipts'],
  'agent keys': ['read', 'write'],
} as const;
export type KindOfKey = keyof typeof accessesOf;

export function draftIn(form: Form): KeyDraft {
  return {
    name: form.one('name'),
    access: form.one('access'),
    namespaces: form.all('namespace'),
    find: form.one('find'),
  };
}

/** The body with which the API makes the key. */
export function bodyOf({ name, access, namespaces }: KeyDraft): string {
  const known: readonly [string, ...unknown[]][] = Object.entries(accesses).map(([value, [, , scopes]]) => [
    value,
    scopes,
  ]);
  const scopes = known.find(([value]) => value === access)?.[1] ?? ['memory.read'];
  return JSON.stringify({ name, scopes, namespace_ids: namespaces });
}

interface KeyForm {
  readonly action: string;
  readonly token: string;
  /** The id of this form, so that sending it twice makes one key. */
  readonly once: string;
  readonly kind: KindOfKey;
  readonly draft: KeyDraft;
  readonly all: ChosenNamespaces['all'];
  readonly sentence: Html | null;
}

export function keyForm({ action, token, once, kind, draft, all, sentence }: KeyForm): Html {
  const options = accessesOf[kind].map((value: Access) => {
    const [label, explanation] = accesses[value];
    return html`<li><label class="option"><input type="radio" name="access" value="${value}"${value === draft.access ? html` checked` : undefined}>
<span>${label}<small>${explanation}</small></span></label></li>`;
  });
  return html`${problem(sentence)}
<form method="post" action="${action}" id="make">
${hidden('token', token)}${hidden('once', once)}
${textField({ name: 'name', label: 'Name', value: draft.name, hint: 'What uses it, so that you recognize it later.', more: html`maxlength="64" autocomplete="off"` })}
<fieldset><legend>It may</legend><ul class="options">${options}</ul></fieldset>
${namespaceBoxes({ all, chosen: draft.namespaces, find: draft.find })}
<p class="actions"><button name="do" value="make">Make the key</button></p>
</form>`;
}

interface Made {
  readonly title: string;
  readonly secret: string | null;
  readonly use: Html;
  readonly back: string;
}

/** The page that shows a new key, once. */
export const madePage = ({ title, secret, use, back }: Made): Shown =>
  shownOnce({
    title,
    secret,
    lead: 'Copy it now: it is not shown again. The service stores only its hash.',
    use,
    again:
      'This form was sent before, and its key was shown then. If you have not copied it, revoke it and make another one.',
    back: { to: back, name: 'Back to the keys' },
  });

/** The words for what a key may do with the memories of its namespaces; null for nothing. */
function memoryWords(scopes: readonly string[]): string | null {
  if (scopes.length === 0) return 'do everything with memories';
  if (scopes.includes('memory.write')) return 'read and write';
  return scopes.includes('memory.read') ? 'read' : null;
}

/** The words for all that a key may do, such as `read in letters, and read all receipts`. */
export function mayWords(scopes: readonly string[], namespaces: Html | null): Html {
  const memories = memoryWords(scopes);
  const there = namespaces === null ? undefined : html` in ${namespaces}`;
  if (!scopes.includes('receipts.read')) return html`${memories ?? 'do nothing'}${there}`;
  if (memories === null) return html`read all receipts`;
  return html`${memories}${there}, and read all receipts`;
}
