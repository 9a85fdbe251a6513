import { type Html, html } from '../html.js';

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  /** Why the value was not taken. */
  readonly fault?: string | undefined;
  /** Attributes that depend on the kind of the field. */
  readonly more?: Html;
}

export function textField(field: Field): Html {
  const { name, value = '', more } = field;
  return labelled(
    field,
    html`<input id="${name}" name="${name}" value="${value}"${about(field)}${more && html` ${more}`}>`,
  );
}

export function textArea(field: Field): Html {
  const { name, value = '', more } = field;
  // A browser drops a line break that follows the tag at once.
  return labelled(
    field,
    html`<textarea id="${name}" name="${name}"${about(field)}${more && html` ${more}`}>\n${value}</textarea>`,
  );
}

interface SelectField extends Field {
  /** Value and text of each option. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

export function selectField(field: SelectField): Html {
  const options = field.options.map(
    ([value, text]) =>
      html`<option value="${value}"${value === field.value ? html` selected` : undefined}>${text}</option>`,
  );
  return labelled(field, html`<select id="${field.name}" name="${field.name}"${about(field)}>${options}</select>`);
}

function labelled({ name, label, hint, fault }: Field, control: Html): Html {
  return html`<div class="field"><label for="${name}">${label}</label>${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${control}${fault && html`<p class="fault" id="${name}-fault">${fault}</p>`}</div>`;
}

/** Names what describes the control, so that it is read aloud with it. */
function about({ name, hint, fault }: Field): Html | undefined {
  const ids = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  if (ids === '') return undefined;
  return html` aria-describedby="${ids}"${fault && html` aria-invalid="true"`}`;
}
