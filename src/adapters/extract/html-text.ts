import { Parser } from 'htmlparser2';
import { TextWriter } from './text-writer.js';
import { type Inherited, isSeen, seen, styleOf } from './unseen.js';

/** Elements whose content is not text that a reader of the page sees. */
const unseen = new Set(
  'script style noscript template iframe object embed svg canvas audio video datalist select title'.split(' '),
);
/** Elements that are separated from their surroundings by an empty line. */
const paragraphs = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre figure section article main header footer nav aside form hr'.split(
    ' ',
  ),
);
/** Elements that begin on a new line. */
const lines = new Set(
  'div li dt dd tr caption figcaption address details summary fieldset legend center body html'.split(' '),
);

/**
 * Extracts the text of a page as a person reads it: the title, then the visible text with a line for each block, lists
 * with their marks, and tabs between the cells of a row. The parser reports tags one by one and builds no tree, so deep
 * nesting cannot overflow the stack. For the same reason skipped and preformatted elements are counted without
 * recursion.
 */
export function htmlText(html: string): string {
  const out = new TextWriter();
  const title = new TextWriter();
  let titles = 0;
  let inTitle = false;
  let skipped = 0;
  let verbatim = 0;
  const lists: number[] = [];
  /** The styles of the open elements that are not skipped. */
  const styles: Inherited[] = [seen];

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const style = skipped > 0 || unseen.has(name) ? null : styleOf(name, attributes, styles.at(-1) ?? seen);
        if (style === null) {
          if (name === 'title' && skipped === 0) {
            titles += 1;
            inTitle = titles === 1;
          }
          skipped += 1;
          return;
        }
        styles.push(style);
        if (name === 'pre' || name === 'textarea') verbatim += 1;
        if (name === 'br') out.breakLine();
        else separate(out, name, lists.length);
        if (name === 'ul' || name === 'ol') lists.push(name === 'ol' ? startOf(attributes.start) : Number.NaN);
        else if (name === 'li' && isSeen(style)) out.mark(itemMark(lists));
      },
      ontext(text) {
        if (inTitle) title.flow(text);
        else if (skipped === 0 && isSeen(styles.at(-1) ?? seen)) verbatim > 0 ? out.verbatim(text) : out.flow(text);
      },
      onclosetag(name) {
        if (skipped > 0) {
          skipped -= 1;
          inTitle = false;
          return;
        }
        styles.pop();
        if (name === 'pre' || name === 'textarea') verbatim -= 1;
        if (name === 'ul' || name === 'ol') lists.pop();
        if (name === 'td' || name === 'th') out.tab();
        else separate(out, name, lists.length);
      },
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: false },
  );
  parser.end(html);
  const heading = title.text();
  const body = out.text();
  // Many pages repeat their title as the first heading.
  return heading === '' || body === heading || body.startsWith(`${heading}\n`) ? body : `${heading}\n\n${body}`.trim();
}

function separate(out: TextWriter, name: string, depth: number): void {
  // Within a list there are no empty lines.
  if (paragraphs.has(name) && depth === 0) out.startParagraph();
  else if (paragraphs.has(name) || lines.has(name)) out.startLine();
}

function startOf(start: string | undefined): number {
  return start !== undefined && /^\d{1,6}$/.test(start) ? Number(start) : 1;
}

/** The mark of the next item of the innermost list, indented by the depth of the list. */
function itemMark(lists: number[]): string {
  const number = lists.at(-1) ?? Number.NaN;
  if (!Number.isNaN(number)) lists[lists.length - 1] = number + 1;
  const indent = '  '.repeat(Math.min(8, Math.max(0, lists.length - 1)));
  return `${indent}${Number.isNaN(number) ? '-' : `${number}.`}`;
}
