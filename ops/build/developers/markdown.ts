import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import Prism from 'prismjs';
import 'prismjs/components/prism-bash.js';
import 'prismjs/components/prism-json.js';
import { packageRoot } from '../../../src/base/package-root.js';
import { anchorOf } from './anchors.js';
import { Html, html } from './html.js';
import { linkTo, pathOf } from './site.js';

const captions: Readonly<Record<string, string>> = { bash: 'Shell', sh: 'Shell', json: 'Answer', text: 'Output' };

/** A page of docs as HTML: anchors at headings, links between pages, code in colours, pictures inside. */
export function renderPage(file: string, text: string): Html {
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const inside = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inside}</h1>\n`;
        const id = anchorOf(heading);
        return `<h${depth} id="${id}"><a class="own" href="#${id}">${inside}</a></h${depth}>\n`;
      },
      code: ({ text: code, lang = '' }) => codeBlock(code, lang),
      link({ href, tokens }) {
        return html`<a href="${targetOf(file, href)}">${new Html(this.parser.parseInline(tokens))}</a>`.text;
      },
      image: ({ href, text: label }) => picture(file, href, label),
      table({ header, rows }) {
        const cell = (tag: 'th' | 'td', { tokens }: Tokens.TableCell) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const head = header.map((one) => cell('th', one)).join('');
        const body = rows.map((row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`).join('\n');
        return `<div class="scroll"><table class="grid columns-${header.length}"><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return new Html(marked.parse(text, { async: false }));
}

function codeBlock(code: string, lang: string): string {
  const [language = '', ...info] = lang.split(' ');
  const name = info.join(' ').replace('file=', '');
  const known = language === 'sh' ? 'bash' : language;
  const grammar = Prism.languages[known];
  const shown = grammar ? new Html(Prism.highlight(code, grammar, known)) : code;
  const title = name || (captions[language] ?? 'Text');
  return html`<figure class="code ${['bash', 'sh'].includes(language) || name !== '' ? 'command' : 'answer'}"><figcaption>${title}</figcaption><pre tabindex="0"><code>${shown}</code></pre></figure>
`.text;
}

/** Links between files of docs become links between pages; all others stay as they are. */
function targetOf(file: string, href: string): string {
  const [target = '', anchor] = href.split('#');
  if (/^https?:/.test(href) || !target.endsWith('.md')) return href;
  const path = linkTo(pathOf(file), pathOf(posix.join(posix.dirname(file), target)));
  return anchor === undefined ? path : `${path}#${anchor}`;
}

/** A picture is part of the page, so that it has the colours of the page. */
function picture(file: string, href: string, label: string): string {
  const svg = readFileSync(join(packageRoot, 'docs', posix.dirname(file), href), 'utf8');
  return html`<figure class="picture" tabindex="0">${new Html(svg)}<figcaption>${label}</figcaption></figure>`.text;
}
