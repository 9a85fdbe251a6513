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

function codePoint(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
}
