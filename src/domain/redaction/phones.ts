import type { CountryCode } from 'libphonenumber-js/max';
import type { Budget, Span } from './finding.js';
import { isGroupedNational, isInternational, isNational } from './phone-plans.js';
import { deniedBefore, leadsTo } from './words-before.js';

const mostGroups = 8;

/** Words that name a number, and verbs for calling one. The verbs must be nearer to the number. */
const naming =
  /phone|(?<!\p{L})tel(?!\p{L})|tel[eé]f|t[eé]l[eé]phone|tlf|mobil|m[oó]vil|cell|celular|celul|portable|handy|rufnummer|durchwahl|hotline|fax|whatsapp|signal|landline|voicemail|contact (?:number|no)|komórk|kontakt(?:nummer)|puhelin|gsm|тел|мобильн|номер телефона|電話|携帯|电话|手机|電話番号|전화|휴대폰|फ़ोन|फोन|هاتف|جوال|טלפון|τηλ/u;
const asking =
  /(?<!\p{L})(?:call|ring|dial|text|sms|reach|anruf\p{L}*|erreichbar|ruf|appel\p{L}*|joindre|joignable|ll[aá]m\p{L}*|marc\p{L}*|lig\p{L}*|chiam\p{L}*|bel|bellen|zadzwoń|dzwoń|ring|ringa|ara|звони\p{L}*|позвони\p{L}*)(?!\p{L})/u;

/** National forms of numbers without a leading zero, with their countries. */
const ownForms: readonly (readonly [RegExp, readonly CountryCode[]])[] = [
  [/(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}([ .-]))[2-9]\d{2}(?:\1|[ .-])\d{4}(?!\d)/y, ['US', 'CA']],
  [/1[3-9]\d[ -]\d{4}[ -]\d{4}(?!\d)/y, ['CN']],
  [/8[ -]?\(?\d{3}\)?[ -]?\d{3}[ -]\d{2}[ -]\d{2}(?!\d)/y, ['RU']],
  [/\(\d{2}\) ?9?\d{4}[ -]\d{4}(?!\d)/y, ['BR', 'MX']],
];

const dateOrAddress =
  /^\(?(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}|(?:19|20)\d{2}[./ -]\d{1,2}[./ -]\d{1,2}$|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}|\d{1,3}(?:\.\d{1,3}){3}$)/;

/** The runs of digits of a text. */
interface Groups {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Finds phone numbers: of every country if they begin with + or 00; in national form if they are grouped as usual in
 * their country, or if words before them say what they are. Other digits stay.
 */
export function phones(text: string, budget: Budget): Span[] {
  const spans: Span[] = [];
  const groups = groupsOf(text);
  const lower = text.toLowerCase();
  const spoken = naming.test(lower) || asking.test(lower);
  let taken = 0;
  for (const [i, start] of groups.starts.entries()) {
    if (start < taken) continue;
    const span = international(groups, i, taken, budget) ?? national(groups, i, taken, spoken, budget);
    if (span === null || span.from < taken) continue;
    spans.push(span);
    taken = span.to;
  }
  return spans;
}

function groupsOf(text: string): Groups {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { index, 0: match } of text.matchAll(/\d+/g)) {
    starts.push(index);
    ends.push(index + match.length);
  }
  return { text, starts, ends };
}

/** The text between a group and the next one if both may belong to one number; null if they do not. */
function gapAfter({ text, starts, ends }: Groups, i: number): string | null {
  const from = ends[i];
  const to = starts[i + 1];
  if (from === undefined || to === undefined || to - from > 3) return null;
  const gap = text.slice(from, to);
  return /^(?: ?[.\-/] ?| {1,2}| ?\(|\) ?[-./]? ?)$/.test(gap) ? gap : null;
}

/** The possible last groups of a number that begins with group `i` and has at most `most` digits, the longest first. */
function endsFrom(groups: Groups, i: number, most: number): number[] {
  const found: number[] = [];
  let digits = 0;
  for (let j = i; j < i + mostGroups; j += 1) {
    digits += (groups.ends[j] ?? 0) - (groups.starts[j] ?? 0);
    if (digits > most) break;
    found.push(j);
    if (gapAfter(groups, j) === null) break;
  }
  return found.reverse();
}

function international(groups: Groups, i: number, taken: number, budget: Budget): Span | null {
  const { text } = groups;
  const start = groups.starts[i] ?? 0;
  const plus = text[start - 1] === '+';
  if (!plus && !(text.startsWith('00', start) && beginsFreely(text, start) && !continuesRow(groups, i, taken)))
    return null;
  if (plus && /[A-Za-z0-9_+/=]/.test(text[start - 2] ?? ' ')) return null;
  for (const j of endsFrom(groups, i, plus ? 15 : 17)) {
    const to = groups.ends[j] ?? 0;
    const written = text.slice(start, to);
    const digits = written
      .replace('(0)', '')
      .replace(/\D/g, '')
      .replace(plus ? /^$/ : /^00/, '');
    if (digits.length < 7 || !/^[1-9]/.test(digits) || !endsFreely(text, to)) continue;
    // "contract number 0049-2023-7781" is written as numbers of contracts are, and its words say so.
    if (!plus && /^\d+(?:-\d+)+$/.test(written) && deniedBefore(text, start)) continue;
    if (isInternational(digits, budget)) return { from: opened(text, plus ? start - 1 : start, to), to };
  }
  return null;
}

function national(groups: Groups, i: number, taken: number, spoken: boolean, budget: Budget): Span | null {
  const { text } = groups;
  const start = groups.starts[i] ?? 0;
  const from = text[start - 1] === '(' ? start - 1 : start;
  if (continuesRow(groups, i, taken)) return null;
  const ends = endsFrom(groups, i, 13);
  const most = ends[0] === undefined ? 0 : digitsOf(groups, i, ends[0]).length;
  if (most < 7 || !beginsFreely(text, from) || deniedBefore(text, from)) return null;
  const own = ownForm(text, from, budget) ?? (from === start ? null : ownForm(text, start, budget));
  if (own !== null) return own;
  const named = spoken && (leadsTo(text, from, naming, 24) || leadsTo(text, from, asking, 10));
  for (const j of ends) {
    const to = groups.ends[j] ?? 0;
    const written = text.slice(start, to);
    if (!endsFreely(text, to) || dateOrAddress.test(written)) continue;
    const digits = digitsOf(groups, i, j);
    const is = named
      ? (digits.length >= 7 && isNational(digits, budget)) || /^\d{3}[ -]\d{4}$/.test(written)
      : isWrittenAsPhone(groups, i, j, digits) && isGroupedNational(digits, groupText(groups, i), budget);
    if (is) return { from: opened(text, start, to), to };
  }
  return null;
}

function ownForm(text: string, from: number, budget: Budget): Span | null {
  for (const [form, countries] of ownForms) {
    form.lastIndex = from;
    const [match = ''] = form.exec(text) ?? [];
    const to = from + match.length;
    if (match === '' || !endsFreely(text, to)) continue;
    if (isNational(match.replace(/\D/g, ''), budget, countries)) return { from, to };
  }
  return null;
}

/** Whether the group continues a row of groups. A number begins there only if the groups before are already a number. */
function continuesRow(groups: Groups, i: number, taken: number): boolean {
  return i > 0 && (groups.ends[i - 1] ?? 0) > taken && gapAfter(groups, i - 1) !== null;
}

/**
 * Whether there are at least two groups that begin with a zero, like an area code and a number, and no decimal or
 * opening hours.
 */
function isWrittenAsPhone(groups: Groups, i: number, j: number, digits: string): boolean {
  if (j === i || !/^0[1-9]/.test(digits) || digits.length < 9 || digits.length > 12) return false;
  const first = groupText(groups, i).length;
  const last = groupText(groups, j).length;
  // If further groups follow, it is a series of numbers and no phone number.
  if (/^(?: +|[-.])$/.test(gapAfter(groups, j) ?? '')) return false;
  const gaps = Array.from({ length: j - i }, (_, k) => gapAfter(groups, i + k) ?? '');
  if (gaps.some((gap) => gap === ' - ') || (gaps.length === 1 && gaps[0] === '.')) return false;
  // Five pairs of digits are a French number; other rows of pairs are dates and lottery numbers.
  if (digits.length !== 10 && digits.length === 2 * (j - i + 1) && first === 2 && last === 2) return false;
  return first >= 2 && first <= 5 && last >= 2;
}

function digitsOf(groups: Groups, i: number, j: number): string {
  return groups.text.slice(groups.starts[i], groups.ends[j]).replace(/\D/g, '');
}

function groupText({ text, starts, ends }: Groups, i: number): string {
  return text.slice(starts[i], ends[i]);
}

/** The start of a number, including an opening bracket that is closed within the number. */
function opened(text: string, from: number, to: number): number {
  const written = text.slice(from, to);
  return text[from - 1] === '(' && written.indexOf(')') !== -1 && !/^[^)]*\(/.test(written) ? from - 1 : from;
}

/** Whether the characters before this position do not belong to a word, amount, path or longer number. */
function beginsFreely(text: string, at: number): boolean {
  const previous = text[at - 1] ?? ' ';
  if (/[A-Za-z0-9_#@$%&+\\^\u20ac\u00a3]/.test(previous)) return false;
  if (!/[.,:/-]/.test(previous)) return true;
  const before = text[at - 2] ?? ' ';
  return /[.,:]/.test(previous) ? !/[0-9]/.test(before) : !/[A-Za-z0-9.:/]/.test(before);
}

function endsFreely(text: string, at: number): boolean {
  const next = text[at] ?? ' ';
  if (/[%$_\u20ac\u00a3\u00b0]/.test(next)) return false;
  if (/[A-Za-z0-9]/.test(next)) return /^(?:x|ext)\.? ?\d/i.test(text.slice(at, at + 6));
  return !(/[.,:/-]/.test(next) && /\d/.test(text[at + 1] ?? ''));
}
