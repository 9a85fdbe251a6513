import { Refusal } from '../../contracts/errors.js';

/** Names and values in the order in which a browser sends them. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The fields of a form as a browser has sent them. A form may name a field several times: once for each checked box. */
export interface Form {
  /** The first value; empty where the form does not name the field. */
  one(name: string): string;
  all(name: string): readonly string[];
  readonly fields: Fields;
}

/** The most bytes of a form: 1,000 boxes with the id of a namespace each take 48 KiB. */
export const formBytes = 64 * 1024;

/**
 * Reads a form as browsers write it. Texts that are not UTF-8 are refused: half a character would be stored as another one.
 * @throws Refusal invalid_request
 */
export function readForm(bytes: Uint8Array): Form {
  try {
    const text = utf8.decode(bytes);
    const fields = text === '' ? [] : text.split('&').map((field) => field.split(/=(.*)/s));
    return formOf(fields.map(([name = '', value = '']) => [decoded(name), decoded(value)]));
  } catch {
    throw new Refusal('invalid_request', 'The text of this form is not UTF-8.');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const decoded = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));

function formOf(fields: Fields): Form {
  return {
    one: (name) => fields.find(([one]) => one === name)?.[1] ?? '',
    all: (name) => fields.flatMap(([one, value]) => (one === name ? [value] : [])),
    fields,
  };
}

/** A form that was not sent. */
export const noFields: Form = formOf([]);
