import { addressOf, type FileName } from '../../../src/pages/frame/files.js';
import { publicHeader } from '../../../src/pages/frame/header.js';
import { layout as frame } from '../../../src/pages/frame/layout.js';
import { type Html, html } from './html.js';
import { apiPath, type Entry, type Group, groups, linkTo } from './site.js';

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly main: Html;
  /** Everything that the navigation shows below the page itself. */
  readonly contents: Html | undefined;
}

/** A page of the documentation: the frame of all pages, with the list of the pages beside the text. */
export function layout({ path, title, main, contents }: Page): string {
  const all = groups();
  const fileOf = (name: FileName) => linkTo(path, `..${addressOf(name)}`);
  return frame({
    title: title === 'Counterfoil documentation' ? title : `${title} · Counterfoil`,
    header: publicHeader('/developers', { to: '/', name: 'Console' }),
    styles: [fileOf('developers.css'), fileOf('developers-text.css')],
    scripts: [fileOf('developers.js')],
    main: html`<div class="documentation">
<nav class="contents" aria-label="Documentation">
<div class="find" role="search"><label for="find">Search</label><input id="find" type="search" autocomplete="off" spellcheck="false" aria-controls="found">
<ol id="found" class="found" hidden></ol></div>
<details open><summary>All pages</summary>
<ul class="groups">${all.map((group) => groupOf(group, path, contents))}</ul>
</details>
</nav>
<main id="main">
${main}
${neighbours(
  all.flatMap(({ entries }) => entries),
  path,
)}
</main>
</div>`,
  });
}

/** The pages of the reference are listed below its index. */
const isOfApi = (path: string) => path.startsWith(`${apiPath}/`);

function groupOf({ title, entries }: Group, current: string, contents: Html | undefined): Html {
  const items = entries.map(({ title: name, path }) => {
    const link = html`<a href="${linkTo(current, path)}"${path === current ? html` aria-current="page"` : undefined}>${name}</a>`;
    return html`<li>${link}${path === current || (path === apiPath && isOfApi(current)) ? contents : undefined}</li>`;
  });
  return html`<li><p class="group">${title}</p><ul>${items}</ul></li>`;
}

function neighbours(entries: readonly Entry[], path: string): Html | undefined {
  const at = entries.findIndex((entry) => entry.path === path);
  const link = (entry: Entry | undefined, rel: string, label: string) =>
    entry && html`<a rel="${rel}" href="${linkTo(path, entry.path)}"><span>${label}</span> ${entry.title}</a>`;
  if (at < 0 || path === apiPath) return undefined;
  return html`<nav class="neighbours" aria-label="Previous and next page">${link(entries[at - 1], 'prev', 'Previous')}${link(entries[at + 1], 'next', 'Next')}</nav>`;
}
