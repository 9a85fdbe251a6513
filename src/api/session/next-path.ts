/** Only for the comparison: the path of a page is the same under every origin. */
const anyOrigin = 'http://service.invalid';
const longest = 2048;

/**
 * The path and query that a browser continues with, where the text names a page of this service; null for everything else.
 * Browsers read `//host`, `/\host` and `/<tab>/host` as other hosts, and remove dots from paths, so the text is read as a
 * browser reads it, and the result is checked again.
 */
export function pathOnThisOrigin(text: string): string | null {
  if (text.length > longest || !isPath(text) || !URL.canParse(text, anyOrigin)) return null;
  const { origin, pathname, search } = new URL(text, anyOrigin);
  const path = `${pathname}${search}`;
  return origin === anyOrigin && isPath(path) ? path : null;
}

/** Printable ASCII without spaces and backslashes that begins with exactly one slash. */
const isPath = (text: string): boolean => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text);
