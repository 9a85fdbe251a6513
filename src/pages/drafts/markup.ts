import { Html, html } from '../html.js';

/** A form that writes, in the text of a page. */
export interface FormMarkup {
  /** The path that it sends to, without a query. */
  readonly path: string;
  readonly id: string | null;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
}

/** A control of a form as it is in the page. */
export interface Control {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  /** The id of the form that it belongs to, where it is outside of it. */
  readonly form: string | null;
}

/**
 * The forms that write. Our templates escape every text and quote every attribute, so that no text of a caller is markup, and no
 * attribute has an angle bracket.
 */
export function formsOf(text: string): readonly FormMarkup[] {
  return [...text.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].flatMap(({ 0: markup, index }) => {
    const attributes = attributesOf(markup.slice(0, markup.indexOf('>') + 1));
    if (attributes.get('method') !== 'post') return [];
    const [path = ''] = (attributes.get('action') ?? '').split('?');
    return [{ path, id: attributes.get('id') ?? null, start: index, end: index + markup.length }];
  });
}

/** The controls with a name that belong to a form: those inside it, and those elsewhere that name it. */
export function controlsOf(text: string, { start, end, id }: Omit<FormMarkup, 'path'>): readonly Control[] {
  return [...text.matchAll(/<(?:input|textarea|select|button)\b[^>]*>/g)].flatMap(({ 0: tag, index }) => {
    const control = controlOf(tag);
    const belongs = control?.form === null ? index >= start && index < end : id !== null && control?.form === id;
    return control && belongs ? [control] : [];
  });
}

/** The control of a tag; null for one without a name, which sends nothing. */
export function controlOf(tag: string): Control | null {
  const { element, attributes } = partsOf(tag);
  const name = attributes.get('name');
  if (name === undefined) return null;
  const type = element === 'input' ? (attributes.get('type') ?? 'text') : element === 'button' ? 'submit' : element;
  return { type, name, value: attributes.get('value') ?? '', form: attributes.get('form') ?? null };
}

/** The same tag with other values of some attributes; null removes an attribute. */
export function withAttributes(tag: string, changed: Readonly<Record<string, string | null>>): Html {
  const { element, attributes } = partsOf(tag);
  const all = new Map<string, string | null>([...attributes, ...Object.entries(changed)]);
  const texts = [...all].flatMap(([name, value]) => (value === null ? [] : [html` ${name}="${value}"`]));
  return html`${new Html(`<${element}`)}${texts}${new Html('>')}`;
}

interface Tag {
  readonly element: string;
  readonly attributes: ReadonlyMap<string, string>;
}

function partsOf(tag: string): Tag {
  const pairs = [...tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g)];
  const attributes = new Map(pairs.map(([, name = '', value = '']) => [name, plain(value)]));
  return { element: /^<([a-z]+)/.exec(tag)?.[1] ?? '', attributes };
}

export const attributesOf = (tag: string): ReadonlyMap<string, string> => partsOf(tag).attributes;

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '');
