/**
 * How long a client prefers to wait for the result, in seconds, as its header Prefer says it (RFC 7240 §4.3); null without a valid
 * preference. The first mention of a preference counts, and every other preference is ignored.
 */
export function preferredWait(header: string | undefined): number | null {
  if (header === undefined) return null;
  for (const preference of header.split(',')) {
    const [, name = '', value = ''] = /^\s*([^\s=;]+)\s*(?:=\s*([^;]*))?/.exec(preference) ?? [];
    if (name.toLowerCase() !== 'wait') continue;
    const [, digits] = /^"?(\d{1,9})"?\s*$/.exec(value) ?? [];
    return digits === undefined ? null : Number(digits);
  }
  return null;
}
