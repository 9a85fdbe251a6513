import { packageVersion } from '../../base/version.js';
import { Html, html } from '../html.js';
import { picture } from './picture.js';
import { ofEveryone } from './places.js';

/** A page with everything around it. */
export interface Framed {
  readonly title: string;
  readonly header: Html;
  readonly main: Html;
  /** The addresses of its styles and of its scripts. */
  readonly styles: readonly string[];
  readonly scripts?: readonly string[];
  readonly continuesAt?: string | undefined;
  /** In seconds. */
  readonly continuesAfter?: number | undefined;
}

/** The whole text of a page. All pages of the service have this frame, those of the documentation too. */
export function layout({ title, header, main, styles, scripts = [], continuesAt, continuesAfter = 0 }: Framed): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title.includes('Counterfoil') ? title : `${title} · Counterfoil`}</title>
<link rel="icon" href="${pictureAddress}">
${styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`)}${scripts.map((script) => html`<script type="module" src="${script}"></script>\n`)}${continuesAt === undefined ? undefined : html`<meta http-equiv="refresh" content="${continuesAfter};url=${continuesAt}">\n`}</head>
<body>
<a class="skip" href="#main">To the text</a>
${header}
${main}
<footer class="foot"><p>Counterfoil ${version}${[...ofEveryone, { path: '/readyz', name: 'Status' }].map(({ path, name }) => html` · <a href="${path}">${name}</a>`)}</p></footer>
</body>
</html>
`.text;
}

const version = packageVersion();

/** Browsers that find it in the page do not ask for /favicon.ico. */
const pictureAddress = new Html(
  `data:image/svg+xml,${picture.replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('#', '%23')}`,
);
