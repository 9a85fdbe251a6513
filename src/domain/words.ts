const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Scripts that are written without spaces, in which only a dictionary knows where a word ends. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * A text whose words PostgreSQL's parser can tell apart: compatibility forms made plain (NFKC), and spaces put between
 * the words of scripts that have none. Other text comes back as it is.
 */
export function segmentWords(text: string): string {
  const plain = text.normalize('NFKC');
  if (!unspaced.test(plain)) return plain;
  return Array.from(words.segment(plain), ({ segment }) => segment).join(' ');
}

/** The distinct words of a query, in lower case and in any script. */
export function queryWords(query: string): string[] {
  const found = new Set<string>();
  for (const { segment, isWordLike } of words.segment(query.normalize('NFKC').toLowerCase())) {
    if (isWordLike) found.add(segment.slice(0, 200));
  }
  return [...found];
}
