/** Text that is HTML already. Every other value is escaped when it is put into a page. */
export class Html {
  constructor(readonly text: string) {}
}

export type Part = Html | string | number | false | null | undefined | readonly Part[];

/** Puts values into HTML: text is escaped, lists are joined, false, null and undefined stand for nothing. Attributes need quotes. */
export function html(literals: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(literals.map((literal, at) => literal + (at < values.length ? textOf(values[at]) : '')).join(''));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === null || part === false) return '';
  return typeof part === 'string' || typeof part === 'number' ? escaped(String(part)) : part.map(textOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
