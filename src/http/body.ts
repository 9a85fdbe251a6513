import { Refusal } from '../../contracts/errors.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A body as text; none is an empty one. @throws Refusal invalid_json */
export function bodyText(body: unknown): string {
  if (!(body instanceof Uint8Array)) return '';
  try {
    return utf8.decode(body);
  } catch {
    throw new Refusal('invalid_json', 'The body is not UTF-8.');
  }
}
