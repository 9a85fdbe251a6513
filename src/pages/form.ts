import { Refusal } from '../../contracts/errors.js';

/** Names and values in the order in which a browser sends them. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The fields of a form as a browser has sent them. A form may name a field several times: once for each checked box. */
export interface Form {
  /** The first value; empty where the form does not name the field. */
  one(name: string): string;
  all(name: string): readonly string[];
  readonly fields: Fields;
  /** The file that was chosen; absent where none was, and in forms that have no file. It is never shown again. */
  readonly file?: FormFile;
}

/** A file as a browser sends it. Its name and its type are what the browser says. */
export interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
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

/** More parts than any of our forms has: each one takes its time. */
const mostParts = 32;

/**
 * Reads a form that has a file, as browsers write it (RFC 7578).
 * @param type the whole content type, which names the boundary of the parts
 * @throws Refusal invalid_request
 */
export async function readFormWithFile(bytes: Uint8Array, type: string): Promise<Form> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || countOf(bytes, `--${boundary}`) > mostParts + 1) throw unreadable();
  const sent = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw unreadable();
  });
  const fields: [string, string][] = [];
  let file: FormFile | undefined;
  for (const [name, value] of sent) {
    if (typeof value === 'string') fields.push([name, value]);
    // A browser sends a file without a name where none was chosen.
    else if (value.name !== '')
      file ??= { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) };
  }
  return { ...formOf(fields), ...(file && { file }) };
}

const unreadable = () => new Refusal('invalid_request', 'The parts of this form cannot be read.');

function countOf(bytes: Uint8Array, text: string): number {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = whole.indexOf(text); at >= 0 && count <= mostParts + 1; at = whole.indexOf(text, at + text.length))
    count += 1;
  return count;
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
