/** A month of one year, a month of every year, or a year. */
export interface Period {
  /** From 0 for January; null for the whole year. */
  readonly month: number | null;
  /** Null for every year. */
  readonly year: number | null;
}

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
] as const;
const abbreviations = ['jan', 'feb', 'mar', 'apr', 'jun', 'jul', 'aug', 'sept', 'sep', 'oct', 'nov', 'dec'] as const;
/** Names of months that are other words too. */
const alsoWords: ReadonlySet<string> = new Set(['march', 'may']);

/** A year has these digits, and none beside them. Codes, versions, prices and spans of years are no years. */
const year = String.raw`(?:19\d\d|20\d\d|2100)`;
const noneBefore = String.raw`(?<![\p{L}\p{M}\p{N}_/\\@#$€£¥+&-]|\d[.,:])`;
const noneBehind = String.raw`(?![\p{L}\p{M}\p{N}_/\\@%-]|[.,:]\d)`;
const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const preposition = '(?:in|of|on|since|until|till|during|before|after|by|early|late|mid)';

const isoMonths = new RegExp(String.raw`${noneBefore}(${year})-(0[1-9]|1[0-2])(?:-\d\d)?(?![\d-])`, 'gu');
const years = new RegExp(`${noneBefore}${year}${noneBehind}`, 'gu');
const months = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_/\\@.])(?<before>${preposition}[\s-]+(?:the\s+)?)?` +
    String.raw`(?:(?<day>${day})\s+(?:of\s+)?)?(?<name>${[...monthNames, ...abbreviations].join('|')})` +
    String.raw`(?![\p{L}\p{M}\p{N}_/\\@]|\.\p{L})\.?(?:\s+(?<dayBehind>${day})(?![\p{L}\p{M}\p{N}:%]))?` +
    String.raw`(?:,?\s*(?:of\s+)?(?<year>(?<!\d)${year})${noneBehind})?`,
  'giu',
);
/** After a day, so that "3 may fail" and "may 8 people come" are no days in May. */
const endOfDate = /^\s*(?:$|[^\s\p{L}\p{N}]|(?:at|for|from|in|on|to|until|with)\b)/iu;
const beginsSentence = /(?:^|[.?!:;\n])[\s"'“‘(¿¡]*$/u;

/** The longest beginning of a query that is read. */
const looked = 2000;

/**
 * The months and years that a query names, in English or as `2023-05`. A month without a year is that of each year that the
 * query names, or of every year if it names none.
 */
export function periodsIn(query: string): Period[] {
  const found: Period[] = [];
  const add = (period: Period) => {
    found.push(period);
    return ' , ';
  };
  const rest = query
    .slice(0, looked)
    .replace(isoMonths, (_, year: string, month: string) => add({ month: Number(month) - 1, year: Number(year) }));
  for (const { groups = {}, index, 0: written } of rest.matchAll(months)) {
    if (!isMonth(groups, rest.slice(0, index), rest.slice(index + written.length))) continue;
    found.push({ month: monthOf(groups.name ?? ''), year: groups.year === undefined ? null : Number(groups.year) });
  }
  const named = [...new Set([...found.flatMap(({ year }) => year ?? []), ...(rest.match(years) ?? []).map(Number)])];
  const isOpen = ({ year }: Period) => year === null;
  if (named.length > 0 && found.some(isOpen)) {
    return found.flatMap((one) => (isOpen(one) ? named.map((year) => ({ month: one.month, year })) : one));
  }
  const alone = named.filter((year) => !found.some((one) => one.year === year));
  return [...found, ...alone.map((year) => ({ month: null, year }))];
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Whether this is the name of a month, and not the verb in "may it fail" or the first name in "Jan says". */
function isMonth({ before, day, name = '', dayBehind, year }: Groups, text: string, behind: string): boolean {
  const isShort = !isFullName(name);
  if (!isShort && !alsoWords.has(name.toLowerCase())) return true;
  if (before !== undefined || year !== undefined) return true;
  if ((day !== undefined || dayBehind !== undefined) && endOfDate.test(behind)) return true;
  return !isShort && /^M[a-z]+$/.test(name) && !beginsSentence.test(text);
}

const isFullName = (name: string): boolean => monthNames.some((month) => month.toLowerCase() === name.toLowerCase());

const monthOf = (name: string): number =>
  monthNames.findIndex((month) => month.toLowerCase().startsWith(name.toLowerCase().slice(0, 3)));

/**
 * The first of these periods in which a time lies, as people write it: `May 2023`, or `2023` for a year; null for none.
 * @param time milliseconds since 1970. Months are those of UTC
 */
export function periodOf(periods: readonly Period[], time: number): string | null {
  const date = new Date(time);
  const [month, year] = [date.getUTCMonth(), date.getUTCFullYear()];
  const found = periods.find((one) => (one.month ?? month) === month && (one.year ?? year) === year);
  if (!found) return null;
  return found.month === null ? `${year}` : `${monthNames[month]} ${year}`;
}
