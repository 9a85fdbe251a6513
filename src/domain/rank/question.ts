const when = /^(?:when|how long|how often|since when|until when)\b|\b(?:what|which)\s+(?:year|month|day|date|time)\b/iu;

/** Whether a query asks for a time. */
export const asksWhen = (query: string): boolean => when.test(query.trim());

/** The longest name that is looked for, in words, and how many words of a query may begin one. */
const longest = { words: 3, beginnings: 24 } as const;

/** The words of a query that may be the name of a person, in lower case: every one to three that follow each other. */
export function namesIn(query: string): string[] {
  const words = query
    .slice(0, 2000)
    .toLowerCase()
    .replace(/['’]s(?![\p{L}\p{N}])/gu, '')
    .split(/[^\p{L}\p{N}_.'’-]+/u)
    .map((word) => word.replace(/^[.'’-]+|[.'’-]+$/g, ''))
    .filter((word) => word !== '');
  const names = words
    .slice(0, longest.beginnings)
    .flatMap((_, i) => Array.from({ length: longest.words }, (_, n) => words.slice(i, i + n + 1).join(' ')));
  return [...new Set(names)];
}
