import { parse } from 'tldts';
import type { Span } from './finding.js';

const longestLocal = 64;
const longestDomain = 253;

const asciiLocal = /[A-Za-z0-9._%+'&*~^!#$/{}|?-]/;
const latinLocal = /[A-Za-z0-9._%+'~^-]|\p{Script=Latin}|\p{M}/u;
const anyLocal = /[\p{L}\p{M}\p{N}._%+'-]/u;

const asciiDomain = /[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62})+/y;
const anyDomain = /[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62})+/uy;

/** The form of a top-level domain. The list of existing domains is consulted afterwards. */
const topLevel = /\.(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59}|(?![a-z])\p{L}[^.]{0,62})$/iu;

/** Shared accounts of version control: git@host is the address of a repository and not of a person. */
const repositories = new Set(['git', 'hg', 'svn']);

/** E-mail addresses under a top-level domain that exists, also internationalised ones. */
export function emails(text: string): Span[] {
  const spans: Span[] = [];
  let taken = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const from = startOfLocal(text, at, taken);
    if (from === null || isHandleOrHost(text, from, at)) continue;
    const to = endOfDomain(text, at + 1);
    if (to === null) continue;
    spans.push({ from, to });
    taken = to;
  }
  return spans;
}

function startOfLocal(text: string, at: number, taken: number): number | null {
  const least = Math.max(taken, at - longestLocal);
  if (text[at - 1] === '"') {
    const quote = text.lastIndexOf('"', at - 2);
    return quote >= least && !text.slice(quote, at).includes('\n') ? quote : null;
  }
  // In scripts without spaces, text may directly precede the address. There only ASCII characters belong to it.
  const last = text[at - 1] ?? '';
  const allowed = /[A-Za-z0-9._%+-]/.test(last) || latinLocal.test(last) ? latinLocal : anyLocal;
  let from = at;
  while (from > least && allowed.test(text[from - 1] ?? '')) from -= 1;
  while (from < at && /[.'~^-]/.test(text[from] ?? '')) from += 1;
  return from === at || text[at - 1] === '.' ? null : from;
}

/** Whether it is @name@host of the fediverse, //user@host of a URL, or an account of version control. */
function isHandleOrHost(text: string, from: number, at: number): boolean {
  const handle = text[from - 1] === '@' && !asciiLocal.test(text[from - 2] ?? ' ');
  return handle || text.slice(from - 2, from) === '//' || repositories.has(text.slice(from, at).toLowerCase());
}

function endOfDomain(text: string, from: number): number | null {
  const ascii = domainAt(asciiDomain, text, from);
  const next = ascii === null ? '' : (text[from + ascii.length] ?? '');
  if (ascii !== null && !/[\p{L}\p{M}]/u.test(next)) return knownPart(ascii, from);
  const any = domainAt(anyDomain, text, from);
  const whole = any === null ? null : knownPart(any, from);
  return whole ?? (ascii === null ? null : knownPart(ascii, from));
}

function domainAt(pattern: RegExp, text: string, from: number): string | null {
  pattern.lastIndex = 0;
  return pattern.exec(text.slice(from, from + longestDomain))?.[0] ?? null;
}

/** The end of the domain, without following words of the sentence; null when no part of it can exist. */
function knownPart(domain: string, from: number): number | null {
  for (let labels = domain.replace(/-+$/, '').split('.'); labels.length > 1; labels = labels.slice(0, -1)) {
    const name = labels.join('.');
    if (topLevel.test(name) && parse(name).isIcann === true) return from + name.length;
  }
  return null;
}
