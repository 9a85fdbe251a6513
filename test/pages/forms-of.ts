import { Parser } from 'htmlparser2';

/** A control of a form, with what a browser would send for it. */
export interface Control {
  readonly element: string;
  readonly type: string;
  readonly name: string;
  value: string;
  readonly isOn: boolean;
  readonly isDisabled: boolean;
}

/** A form of a page as a browser reads it. */
export interface FoundForm {
  readonly action: string;
  readonly method: string;
  readonly controls: Control[];
  /** The fields that it would send without a button. */
  fields(): readonly (readonly [string, string])[];
}

/** The forms of a page, read by a parser of HTML and not by us. */
export function formsOf(text: string): readonly FoundForm[] {
  const forms: FoundForm[] = [];
  const byId = new Map<string, FoundForm>();
  let current: FoundForm | null = null;
  let written: Control | null = null;
  let select: { readonly control: Control; chosen: boolean } | null = null;
  const parser = new Parser({
    onopentag(element, attributes) {
      if (element === 'form') {
        current = newForm(attributes.action ?? '', attributes.method ?? 'get');
        forms.push(current);
        if (attributes.id !== undefined) byId.set(attributes.id, current);
      }
      const owner = attributes.form === undefined ? current : (byId.get(attributes.form) ?? null);
      if (element === 'option' && select !== null) {
        const isChosen = attributes.selected !== undefined;
        if (isChosen || !select.chosen) {
          if (isChosen || select.control.value === '') select.control.value = attributes.value ?? '';
          select.chosen ||= isChosen;
        }
      }
      if (!['input', 'textarea', 'select', 'button'].includes(element) || owner === null) return;
      const type = attributes.type ?? (element === 'button' ? 'submit' : element === 'input' ? 'text' : element);
      const isBox = type === 'checkbox' || type === 'radio';
      const control = {
        element,
        type,
        name: attributes.name ?? '',
        value: attributes.value ?? '',
        isOn: !isBox || attributes.checked !== undefined,
        isDisabled: attributes.disabled !== undefined,
      };
      owner.controls.push(control);
      if (element === 'textarea') written = control;
      if (element === 'select') select = { control, chosen: false };
    },
    ontext(data) {
      if (written !== null) written.value += data;
    },
    onclosetag(element) {
      if (element === 'form') current = null;
      // A browser drops the line break after the tag.
      if (element === 'textarea' && written !== null) {
        written.value = written.value.replace(/^\n/, '');
        written = null;
      }
      if (element === 'select') select = null;
    },
  });
  parser.write(text);
  parser.end();
  return forms;
}

/** The fields of the form of a page that sends to an address, as a browser would send them. */
export function fieldsOf({ text }: { readonly text: string }, action: string): Record<string, string> {
  const form = formsOf(text).find((one) => one.method === 'post' && one.action === action);
  if (!form) throw new Error(`the page has no form that sends to ${action}`);
  return Object.fromEntries(form.fields());
}

function newForm(action: string, method: string): FoundForm {
  const controls: Control[] = [];
  return {
    action,
    method,
    controls,
    fields: () =>
      controls.flatMap(({ name, value, type, isOn, isDisabled }) =>
        name === '' || !isOn || isDisabled || type === 'submit' ? [] : [[name, value] as const],
      ),
  };
}
