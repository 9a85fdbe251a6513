import type { Fields } from '../form.js';
import { Html, html } from '../html.js';
import { attributesOf, type Control, controlOf, controlsOf, formsOf, withAttributes } from './markup.js';

/** Hidden fields that the page sets for the state that it shows now. */
const ofPage: readonly string[] = ['token', 'by', 'seen', 'workspace_id'];
/** Hidden fields that belong to what was typed: the id of the form, so that it does nothing twice, the approval of a text, the client and the drawn identity of an agent. */
const ofDraft: readonly string[] = ['once', 'approval', 'client', 'agent_id', 'drawn', 'challenge', 'own_challenge'];

/**
 * Puts the fields that were sent into the form of a page. The markup is that of our own templates, in which every text and every
 * value of an attribute is escaped.
 * @param path that the form sends to
 * @returns null where no form of the page can have sent these fields, as when the page has changed
 */
export function filled(page: Html, path: string, sent: Fields): Html | null {
  const values = namesOf(sent);
  const found = formsOf(page.text).find(
    (form) => form.path === path && canHaveSent(controlsOf(page.text, form), values),
  );
  if (!found) return null;
  const { start, end, id } = found;
  const before = page.text.slice(0, start);
  const after = page.text.slice(end);
  const own = (text: string) => fillControls(text, values, () => true);
  // Controls elsewhere on the page may belong to the form by its id.
  const others = (text: string) => (id === null ? text : fillControls(text, values, (control) => control.form === id));
  return new Html(`${others(before)}${own(page.text.slice(start, end))}${others(after)}`);
}

type Values = ReadonlyMap<string, readonly string[]>;

function namesOf(fields: Fields): Values {
  const values = new Map<string, string[]>();
  for (const [name, value] of fields) values.set(name, [...(values.get(name) ?? []), value]);
  return values;
}

/** A form that has each field that was sent, and where a field cannot be changed by a person, has it with the value that was sent. */
function canHaveSent(controls: readonly Control[], sent: Values): boolean {
  const isFixed = ({ type }: Control) => type === 'hidden' || type === 'submit';
  const loose = [...ofPage, ...ofDraft];
  const ofNames = [...sent].every(([name, values]) => {
    const ofName = controls.filter((control) => control.name === name);
    if (loose.includes(name)) return true;
    return ofName.length > 0 && (!ofName.every(isFixed) || ofName.some(({ value }) => values.includes(value)));
  });
  return (
    ofNames &&
    controls.every(
      ({ type, name, value }) => type !== 'hidden' || loose.includes(name) || (sent.get(name) ?? []).includes(value),
    )
  );
}

function fillControls(text: string, sent: Values, isOfForm: (control: Control) => boolean): string {
  return text.replace(
    /<input\b[^>]*>|<textarea\b[^>]*>.*?<\/textarea>|<select\b[^>]*>.*?<\/select>/gs,
    (markup: string) => {
      const control = controlOf(markup.slice(0, markup.indexOf('>') + 1));
      if (!control || !isOfForm(control) || ofPage.includes(control.name)) return markup;
      return withValues(markup, control, sent.get(control.name) ?? null);
    },
  );
}

function withValues(markup: string, { type, value }: Control, values: readonly string[] | null): string {
  const [first] = values ?? [];
  if (type === 'checkbox') return marked(markup, 'checked', values?.includes(value) ?? false);
  if (first === undefined || values === null) return markup;
  if (type === 'radio') return marked(markup, 'checked', values.includes(value));
  if (type === 'textarea') return html`${new Html(markup.slice(0, markup.indexOf('>') + 1))}\n${first}</textarea>`.text;
  if (type === 'select') return markup.replace(/<option\b[^>]*>/g, (option) => chosen(option, first));
  return withAttributes(markup, { value: first }).text;
}

const chosen = (option: string, value: string): string =>
  marked(option, 'selected', attributesOf(option).get('value') === value);

const marked = (tag: string, attribute: 'checked' | 'selected', is: boolean): string =>
  withAttributes(tag, { [attribute]: is ? '' : null }).text;
