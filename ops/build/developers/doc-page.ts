import { anchorOf } from './anchors.js';
import { Html, html } from './html.js';
import { layout } from './layout.js';
import { renderPage } from './markdown.js';
import { pathOf, readDoc } from './site.js';

/** A page of docs as it is served. */
export function docPage(file: string): string {
  const text = readDoc(file);
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  const headings = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^## (.+)$/gm)].map(
    ([, heading = '']) => heading,
  );
  const items = headings.map((heading) => html`<li><a href="#${anchorOf(heading)}">${plain(heading)}</a></li>`);
  const contents = items.length === 0 || file === 'index.md' ? undefined : html`<ul class="inside">${items}</ul>`;
  const main = html`<article class="doc${file === 'index.md' ? ' first' : ''}">${withLead(renderPage(file, text))}</article>`;
  return layout({ path: pathOf(file), title, main, contents });
}

const plain = (heading: string) => heading.replaceAll('`', '');

/** The first paragraph after the title is larger than the rest. */
function withLead({ text }: Html): Html {
  return new Html(text.replace('</h1>\n<p>', '</h1>\n<p class="lead">'));
}
