const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const inAnyCase = new RegExp(pattern, 'i');

/** Whether a text is a UUID in any spelling of its digits, as clients may send it (RFC 9562). */
export function isUuid(text: string): boolean {
  return inAnyCase.test(text);
}

/** Whether a text is a UUID as this service writes it: with small letters. */
export function isWrittenUuid(text: string): boolean {
  return pattern.test(text);
}
