import { hidden, textArea } from '../components/fields.js';
import { fieldName } from '../components/for-people.js';
import { problem } from '../components/messages.js';
import type { Fields } from '../form.js';
import { type Html, html } from '../html.js';
import type { Shown } from '../page.js';

interface DraftPage {
  readonly status: number;
  readonly title: string;
  /** Why the page of the form is not shown. */
  readonly sentence: Html | string | null;
  /** The step that helps. */
  readonly advice: Html | string;
  readonly fields: Fields;
  /** The address that the form sends to again, with the hidden fields of its own; null where sending it helps no one. */
  readonly again: { readonly address: string; readonly own: Fields } | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The text that was typed, on a page that needs neither the store nor the page of the form, so that no text is lost while the service cannot
 * show that page.
 */
export function draftPage({ status, title, sentence, advice, fields, again, headers = {} }: DraftPage): Shown {
  const typed = fields.filter(isTyped);
  return {
    status,
    title,
    headers,
    main: html`<div class="narrow"><h1>${title}</h1>
${problem(sentence)}
<p class="lead">${advice}</p>
${again === null ? typed.map(readOnly) : form(again, fields)}</div>`,
  };
}

function form({ address, own }: NonNullable<DraftPage['again']>, fields: Fields): Html {
  const [shown, others] = [fields.filter(isTyped), fields.filter((field) => !isTyped(field))];
  return html`<form method="post" action="${address}">${[...own, ...others].map(([name, value]) => hidden(name, value))}
${shown.map(([name, value]) => textArea({ name, label: titleOf(name), value, more: rows(value) }))}
<p class="actions"><button>Send the form again</button></p></form>`;
}

/** In a field, so that it is copied as it was typed. */
function readOnly([name, value]: Fields[number]): Html {
  return textArea({ name, label: titleOf(name), value, more: html`${rows(value)} readonly` });
}

function rows(value: string): Html {
  const isLong = value.length > 80 || value.includes('\n');
  // On a phone a line has some thirty characters.
  return html`rows="${isLong ? 8 : value.length > 30 ? 3 : 1}"`;
}

/** Fields that a page has set by itself say nothing to a person. */
const ofMachine = /^(once|seen|do|at|approval|access|scope|namespace|agent|next|.*_id|id)$/;

/** Whether a person has typed a field. */
export function isTyped([name, value]: Fields[number]): boolean {
  return value !== '' && !ofMachine.test(name);
}

function titleOf(name: string): string {
  const words = fieldName(name);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
