import { type Html, html } from './html.js';
import { type Entry, type Group, groups, linkTo } from './site.js';

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly main: Html;
  /** Everything that the navigation shows below the page itself. */
  readonly contents: Html | undefined;
}

/** A page with the navigation beside it. It needs nothing but its own style and script. */
export function layout({ path, title, main, contents }: Page): string {
  const all = groups();
  return html`${head(path, title)}
<body>
<a class="skip" href="#main">To the text</a>
<nav class="contents" aria-label="Documentation">
<p class="name"><a href="${linkTo(path, '')}">Counterfoil</a></p>
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
</body>
</html>
`.text;
}

function head(path: string, title: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Counterfoil documentation' ? title : `${title} · Counterfoil`}</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23274c66'/%3E%3Cpath d='M5 2v12' stroke='%23fff' stroke-dasharray='1.5 1.5'/%3E%3Cpath d='m7.5 8.2 1.8 1.9 3.4-4' fill='none' stroke='%23fff' stroke-width='1.6'/%3E%3C/svg%3E">
<link rel="stylesheet" href="${linkTo(path, 'page.css')}">
<link rel="stylesheet" href="${linkTo(path, 'text.css')}">
<script type="module" src="${linkTo(path, 'main.js')}"></script>
</head>`;
}

function groupOf({ title, entries }: Group, current: string, contents: Html | undefined): Html {
  const items = entries.map(({ title: name, path }) => {
    const link = html`<a href="${linkTo(current, path)}"${path === current ? html` aria-current="page"` : undefined}>${name}</a>`;
    return html`<li>${link}${path === current ? contents : undefined}</li>`;
  });
  return html`<li><p class="group">${title}</p><ul>${items}</ul></li>`;
}

function neighbours(entries: readonly Entry[], path: string): Html | undefined {
  const at = entries.findIndex((entry) => entry.path === path);
  const link = (entry: Entry | undefined, rel: string, label: string) =>
    entry && html`<a rel="${rel}" href="${linkTo(path, entry.path)}"><span>${label}</span> ${entry.title}</a>`;
  if (at < 0 || path === 'api') return undefined;
  return html`<nav class="neighbours" aria-label="Previous and next page">${link(entries[at - 1], 'prev', 'Previous')}${link(entries[at + 1], 'next', 'Next')}</nav>`;
}
