const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first code points of a text, with an ellipsis if something was cut. A grapheme cluster is never cut. */
export function excerptOf(content: string, codePoints: number): string {
  // The code point after a cluster shows whether the cluster has ended, so one more than requested is examined.
  const opening = Array.from(content.slice(0, 2 * (codePoints + 1))).slice(0, codePoints + 1);
  if (opening.length <= codePoints) return content;
  let end = 0;
  let count = 0;
  for (const { segment, index } of graphemes.segment(opening.join(''))) {
    count += Array.from(segment).length;
    if (count > codePoints) break;
    end = index + segment.length;
  }
  return `${content.slice(0, end)}…`;
}
