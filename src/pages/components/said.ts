import { Html, html } from '../html.js';

/** Control, format and private-use characters. Breaks of lines and tabs are seen as what they are. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}]/gu;

/**
 * A text of a caller, shown as text: no links and no pictures. Characters that cannot be seen or that change the order of others
 * are shown by their code point, and the text has its own direction of reading.
 */
export function said(text: string): Html {
  return html`<bdi dir="auto">${marked(text)}</bdi>`;
}

/** A text of a caller without the element around it, for places that have one. */
export function marked(text: string): Html {
  const escaped = html`${text}`.text;
  return new Html(escaped.replace(unseen, (character) => `<span class="mark">${codePoint(character)}</span>`));
}

/**
 * A whole page, in which every such character is shown by its code point that a template has not shown already. Fields keep what
 * is typed in them.
 */
export function withMarks(page: string): string {
  if (!unseenAnywhere.test(page)) return page;
  return page.replace(parts, (part) => {
    if (part.startsWith('<title') || part.startsWith('<option')) return part.replace(unseen, codePoint);
    return part.startsWith('<') ? part : `<span class="mark">${codePoint(part)}</span>`;
  });
}

const unseenAnywhere = new RegExp(unseen.source, 'u');
/** Elements that hold text only, all other tags, and single characters that cannot be seen. */
const parts = new RegExp(`<textarea\\b.*?</textarea>|<(?:title|option)\\b[^>]*>[^<]*|<[^>]*>|${unseen.source}`, 'gsu');

function codePoint(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
}
