import { Refusal } from '../../contracts/errors.js';
import { type Fields, refuseUnknown } from '../../contracts/input.js';

/**
 * Refuses a query that could be answered otherwise than it was meant: with a parameter that the operation does not take, such as a
 * misspelt filter, or with bytes that are not UTF-8, which the server would take for the characters of their escapes.
 * @param text the query as it was sent; '' of a call that no route has made
 * @throws Refusal invalid_request
 */
export function refuseMisread(fields: Fields, query: Readonly<Record<string, unknown>>, text: string): void {
  if (text.includes('%')) for (const part of text.split('&')) requireUtf8(part);
  refuseUnknown(
    fields,
    Object.keys(query).filter((name) => !isOfDeep(fields, name)),
    'invalid_request',
    'parameter',
  );
}

function isOfDeep(fields: Fields, name: string): boolean {
  const at = name.indexOf('[');
  return at > 0 && name.endsWith(']') && fields[name.slice(0, at)]?.isDeep === true;
}

function requireUtf8(part: string): void {
  try {
    decodeURIComponent(part);
  } catch {
    const [name = ''] = part.split('=');
    const shown = JSON.stringify(name.slice(0, 64));
    throw new Refusal('invalid_request', `The parameter ${shown} of the query is not percent-encoded UTF-8.`);
  }
}
