import { Html, html } from '../../../src/pages/html.js';

export { Html, html };

/** The little Markdown that descriptions have: paragraphs, `code` and **bold**. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n\n+/).map((paragraph) => html`<p>${inline(paragraph.replaceAll('\n', ' '))}</p>`);
  return html`${paragraphs}`;
}

export function inline(text: string): Html {
  return new Html(
    html`${text}`.text.replace(/`([^`]+)`/g, '<code>$1</code>').replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );
}
