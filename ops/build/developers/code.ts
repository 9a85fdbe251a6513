import { type Html, html } from './html.js';

/** A block to copy from, with what it is above it. */
export function block(title: string, code: Html): Html {
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

/** JSON with its names, texts and numbers distinguished. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const parts = text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?)/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<span class="${kindOf(part)}">${part}</span>`))}`;
}

function kindOf(part: string): string {
  if (part.endsWith(':')) return 'key';
  return part.startsWith('"') ? 'text' : 'value';
}
