/** PostgreSQL accepts 32 consecutive negations, and skips these characters between them. */
const mostNegations = 16;
const skipped = '[\\s!&|()<]';
const run = new RegExp(`(^|[^])((?:-${skipped}*){${mostNegations},})`, 'gu');
const betweenWords = new RegExp(`^(?:${skipped}|")?$`, 'u');

/**
 * Shortens long runs of dashes in a query in web search syntax, because PostgreSQL refuses them. Two negations cancel
 * each other, so a run is equal to one dash or to none. Directly after a word, a dash only ends the word.
 */
export function withoutLongNegations(query: string): string {
  return query.replace(run, (_, before: string, dashes: string) => {
    const negates = betweenWords.test(before) && [...dashes.matchAll(/-/g)].length % 2 === 1;
    return negates ? `${before} -` : `${before} `;
  });
}
