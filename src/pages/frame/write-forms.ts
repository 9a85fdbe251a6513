import type { OpenSession } from '../../api/session/sessions.js';
import { notice } from '../components/messages.js';
import { personField } from '../drafts/fields.js';
import { formsOf } from '../drafts/markup.js';
import { Html, html } from '../html.js';
import type { Pause } from './pause.js';

interface Around {
  readonly role: OpenSession['person']['role'];
  readonly pause: Pause | null;
  /** The tag of the person. */
  readonly by: string;
  /** Whether the forms that send to a path write or delete what agents do. */
  writes(path: string): boolean;
}

/**
 * The forms of a page as this person may use them now. A role that only reads has none that writes; while agents are paused the
 * buttons of such forms are disabled, with the reason. Every form says whose it is.
 */
export function usableForms(main: Html, { role, pause, by, writes }: Around): Html {
  const own = html`<input type="hidden" name="${personField}" value="${by}">`.text;
  const said = new Set<Html>();
  const once = (reason: Html): string => {
    const text = said.has(reason) ? '' : reason.text;
    said.add(reason);
    return text;
  };
  let text = '';
  let done = 0;
  for (const { start, end, path } of formsOf(main.text)) {
    const opens = main.text.indexOf('>', start) + 1;
    const inside = main.text.slice(opens, end);
    const form = `${main.text.slice(start, opens)}${own}`;
    text += main.text.slice(done, start);
    if (!writes(path)) text += form + inside;
    else if (role === 'reader') text += once(readsOnly);
    else if (pause !== null) text += `${form}${once(held)}${disabled(inside)}`;
    else text += form + inside;
    done = end;
  }
  return new Html(text + main.text.slice(done));
}

const held = html`<div id="held">${notice('All agents are paused, so nothing is written or deleted here until an owner resumes them.')}</div>`;

const disabled = (form: string): string => form.replace(/<button\b/g, '<button disabled aria-describedby="held"');

const readsOnly = html`${notice('Your role reads and does not write. An owner or an admin of the workspace can change it.')}`;
