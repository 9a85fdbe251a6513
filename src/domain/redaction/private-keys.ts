import type { Span } from './finding.js';

const header = /-----?\s?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-----?/g;
const footer = /-----?\s?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-----?/g;

/** The body after a header whose footer was cut off. Line breaks may be escaped as in JSON, with two characters. */
const openBody = /(?:\s|\\[rn]){0,8}[A-Za-z0-9+/=]{16,}(?:(?:\s|\\[rn]){1,8}[A-Za-z0-9+/=]{16,})*/y;

/** No key is longer. A footer further away belongs to something else. */
const longest = 32_768;

/** Key material. A text that only mentions headers and footers has no such run of characters between them. */
const material = /[A-Za-z0-9+/=]{24}/;

const putty = /PuTTY-User-Key-File-\d:[^\n]{0,80}\n(?:(?!PuTTY)[^\n]{0,200}\n){1,100}?Private-MAC: [0-9a-f]{40,64}/g;
const age = /(?<![A-Z0-9])AGE-SECRET-KEY-1[0-9A-Z]{58}(?![A-Z0-9])/g;

/** Finds private keys in the forms of PEM, OpenSSH, PGP, SSH2, PuTTY and age, also if their end was cut off. */
export function privateKeys(text: string): Span[] {
  const spans = text.includes('PRIVATE KEY') ? pemBlocks(text) : [];
  if (text.includes('PuTTY-User-Key-File-')) spans.push(...spansOf(putty, text));
  if (text.includes('AGE-SECRET-KEY-1')) spans.push(...spansOf(age, text));
  return withoutOverlap(spans);
}

function pemBlocks(text: string): Span[] {
  const spans: Span[] = [];
  const footers = spansOf(footer, text);
  let next = 0;
  let taken = 0;
  const headers = spansOf(header, text);
  for (const [i, { from, to }] of headers.entries()) {
    if (from < taken) continue;
    const limit = Math.min(to + longest, headers[i + 1]?.from ?? text.length);
    while ((footers[next]?.from ?? Number.POSITIVE_INFINITY) < to) next += 1;
    const end = footers[next];
    if (end && end.from <= limit && material.test(text.slice(to, end.from))) {
      taken = end.to;
    } else {
      openBody.lastIndex = to;
      const body = openBody.exec(text);
      if (!body) continue;
      taken = openBody.lastIndex;
    }
    spans.push({ from, to: taken });
  }
  return spans;
}

function spansOf(pattern: RegExp, text: string): Span[] {
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
}

/** Sorts spans by position and keeps the first of two that overlap. */
export function withoutOverlap(spans: Span[]): Span[] {
  let end = 0;
  return spans
    .sort((one, other) => one.from - other.from || other.to - one.to)
    .filter(({ from, to }) => {
      if (from < end) return false;
      end = to;
      return true;
    });
}
