const hyphenAtEnd = /[\p{L}\p{N}][-\u00ad\u2010]$/u;

/**
 * Joins words that were broken at the end of a line. The hyphen stays if the same word has one elsewhere in the text, if it has
 * another one already, or if a capital or a digit follows.
 */
export function withoutBreaks(text: string): string {
  const lines = text.split('\n');
  const compounds = compoundsIn(lines);
  const made: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    if (!hyphenAtEnd.test(line.slice(-3)) || !/^[\p{L}\p{N}]/u.test(next)) {
      made.push(line);
      continue;
    }
    const end = firstGap(next);
    const word = joined(line, next.slice(0, end), compounds);
    const rest = next.slice(end).trimStart();
    // The word that was completed may be the whole line, and be broken again.
    if (rest === '') {
      lines[at + 1] = word;
    } else {
      made.push(word);
      lines[at + 1] = rest;
    }
  }
  return made.join('\n').replaceAll('\u00ad', '');
}

function joined(line: string, tail: string, compounds: ReadonlySet<string>): string {
  const whole = line.slice(0, -1);
  const head = whole.slice(Math.max(whole.lastIndexOf(' '), whole.lastIndexOf('\t')) + 1);
  const isSoft = line.endsWith('\u00ad');
  const isCompound = head.includes('-') || compounds.has(bare(`${head}-${tail}`));
  const isBroken = isSoft || (/^\p{Ll}/u.test(tail) && /\p{L}$/u.test(head) && !isCompound);
  return isBroken ? `${whole}${tail}` : `${whole}-${tail}`;
}

function firstGap(line: string): number {
  const gap = line.search(/\s/);
  return gap < 0 ? line.length : gap;
}

const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}-]/gu, '');

/** The words with a hyphen within a line. */
function compoundsIn(lines: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const line of lines) {
    for (const word of line.split(/\s+/)) if (/\p{L}-\p{L}/u.test(word)) found.add(bare(word));
  }
  return found;
}
