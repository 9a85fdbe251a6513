/** PostgreSQL has place for 32 negations that stand behind one another, and skips these characters between them. */
const mostNegations = 16;
const skipped = '[\\s!&|()<]';
const run = new RegExp(`(^|[^])((?:-${skipped}*){${mostNegations},})`, 'gu');
const betweenWords = new RegExp(`^(?:${skipped}|")?$`, 'u');

/**
 * A query in web search syntax with long runs of dashes made short, which PostgreSQL refuses. Two negations are none, so a
 * run means what one dash means, or nothing; directly behind a word it only ends that word.
 */
export function withoutLongNegations(query: string): string {
  return query.replace(run, (_, before: string, dashes: string) => {
    const negates = betweenWords.test(before) && [...dashes.matchAll(/-/g)].length % 2 === 1;
    return negates ? `${before} -` : `${before} `;
  });
}
