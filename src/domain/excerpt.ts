import { limits } from '../../contracts/limits.js';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first code points of a text, never cutting a grapheme cluster, with an ellipsis when something was cut. */
export function excerptOf(content: string, codePoints: number = limits.excerptCharacters): string {
  let end = 0;
  let count = 0;
  for (const { segment, index } of graphemes.segment(content)) {
    count += [...segment].length;
    if (count > codePoints) return `${content.slice(0, end)}…`;
    end = index + segment.length;
  }
  return content;
}
