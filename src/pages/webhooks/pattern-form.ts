import { Refusal } from '../../../contracts/errors.js';
import { selectField, textArea, textField } from '../components/fields.js';
import type { Form } from '../form.js';
import { type Html, html } from '../html.js';

type Choice = readonly (readonly [value: string, text: string])[];

interface Choices {
  readonly namespaces: readonly { readonly id: string; readonly name: string }[];
  readonly agents: Choice;
}

/** Fields of a form, each for the member of the pattern with that name. */
const texts = ['user_id', 'app_id', 'run_id'] as const;

/** The fields for the memories that a webhook reports. What is filled in must all fit. */
export function patternFields({ one }: Form, { namespaces, agents }: Choices): Html {
  const rest = ['written_by', ...texts, 'metadata'].some((name) => one(name) !== '');
  const any = (text: string, options: Choice): Choice => [['', text], ...options];
  return html`<fieldset><legend>Memories that it reports</legend>
<p class="hint">Fill in at least one. A memory is reported when everything that is filled in fits.</p>
${selectField({
  name: 'namespace',
  label: 'Namespace',
  value: one('namespace'),
  options: any(
    'All namespaces',
    namespaces.map(({ id, name }) => [id, name]),
  ),
})}
${textField({ name: 'contains', label: 'Words', value: one('contains'), hint: 'The text has all of these words, in any order. Upper case, accents and the place in the text do not matter.', more: html`maxlength="512" autocomplete="off"` })}
${textArea({ name: 'source', label: 'Source', value: one('source'), hint: 'The source is exactly this one. Several, one on each line, mean: one of them.', more: html`rows="2" spellcheck="false"` })}
<details${rest && html` open`}><summary>Who wrote it, and its metadata</summary>
${selectField({ name: 'written_by', label: 'Written by', value: one('written_by'), options: any('Anyone', agents) })}
${textField({ name: 'user_id', label: 'Person', value: one('user_id'), hint: 'The id of the person that the memory was written for.', more: html`maxlength="512" autocomplete="off"` })}
${textField({ name: 'app_id', label: 'Program', value: one('app_id'), hint: 'The name of the program that wrote it.', more: html`maxlength="512" autocomplete="off"` })}
${textField({ name: 'run_id', label: 'Run', value: one('run_id'), hint: 'The id of the run in which it was written.', more: html`maxlength="512" autocomplete="off"` })}
${textArea({ name: 'metadata', label: 'Metadata', value: one('metadata'), hint: 'A JSON object, such as {"project": "harbour"}. Each key has exactly this value.', more: html`rows="2" spellcheck="false"` })}
</details></fieldset>`;
}

/** The pattern of the API. @throws Refusal invalid_request */
export function patternIn({ one }: Form): Readonly<Record<string, unknown>> {
  const lines = one('source')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const given = {
    namespace_id: one('namespace'),
    contains: one('contains').trim(),
    source: lines.length > 1 ? lines : (lines[0] ?? ''),
    agent_id: one('written_by'),
    ...Object.fromEntries(texts.map((name) => [name, one(name).trim()])),
    metadata: metadataIn(one('metadata')),
  };
  const pattern = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  if (Object.keys(pattern).length === 0)
    throw new Refusal(
      'invalid_request',
      'Say which memories are reported: fill in a namespace, words, a source or one of the other fields.',
    );
  return pattern;
}

/** Empty where the field is. @throws Refusal invalid_request */
function metadataIn(text: string): unknown {
  if (text.trim() === '') return '';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // A text that is no JSON is refused as one that is no object.
  }
  throw new Refusal('invalid_request', 'The metadata must be a JSON object, such as {"project": "harbour"}.');
}
