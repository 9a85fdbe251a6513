/** Text that is HTML already. Everything else that comes into a page is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | readonly Part[];

/** Puts values into HTML: text is escaped, lists are joined, nothing stays nothing. */
export function html(literals: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(literals.map((literal, at) => literal + (at < values.length ? textOf(values[at]) : '')).join(''));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined) return '';
  return typeof part === 'string' || typeof part === 'number' ? escaped(String(part)) : part.map(textOf).join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** The little Markdown that descriptions have: paragraphs, `code` and **bold**. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n\n+/).map((paragraph) => html`<p>${inline(paragraph.replaceAll('\n', ' '))}</p>`);
  return html`${paragraphs}`;
}

export function inline(text: string): Html {
  return new Html(
    escaped(text)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );
}
