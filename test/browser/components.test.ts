import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { facts } from '../../src/pages/components/facts.js';
import { selectField, textArea, textField } from '../../src/pages/components/fields.js';
import { icon } from '../../src/pages/components/icons.js';
import { identity } from '../../src/pages/components/identity.js';
import { done, empty, notice, problem } from '../../src/pages/components/messages.js';
import { pageTop } from '../../src/pages/components/page-top.js';
import { said } from '../../src/pages/components/said.js';
import { type StateKind, state } from '../../src/pages/components/state.js';
import { strip } from '../../src/pages/components/strip.js';
import { pager, table } from '../../src/pages/components/table.js';
import { time } from '../../src/pages/components/time.js';
import { timeline } from '../../src/pages/components/timeline.js';
import { addressOf } from '../../src/pages/frame/files.js';
import { publicHeader } from '../../src/pages/frame/header.js';
import { layout } from '../../src/pages/frame/layout.js';
import { pauseBanner } from '../../src/pages/frame/pause.js';
import { type Html, html } from '../../src/pages/html.js';
import { tiles } from '../../src/pages/overview/part.js';
import { faintTexts, overflow, unlabelled } from './looks.js';
import { brokenRules } from './rules.js';
import { openBrowser } from './window.js';

const base = 'http://components.example';
const shots = process.env.SCREENSHOTS;
const now = Date.parse('2026-11-27T12:00:00.000Z');
const at = time('2026-11-27T11:58:00.000Z', now);
const id = 'rcp_0192f0c4800070008000000000000abc';
const long = 'a-name-without-any-space-that-has-the-most-characters-of-a-name-';
const kinds: readonly StateKind[] = ['verified', 'failed', 'waits', 'not-checked', 'absent'];

const part = (title: string, ...content: readonly (Html | undefined)[]) =>
  html`<section><h2>${title}</h2>${content}</section>`;

/** Every component with all of its states, on one page. */
function everything(): string {
  const main = html`${pageTop({ above: [['Lists', '#main'], [said(long)]], title: 'Components', actions: html`<a class="button second" href="#main">Add one</a>`, lead: 'All of them with all of their states.' })}
${part('Buttons', html`<p class="actions"><button>Primary</button><button class="second">Second</button><button class="quiet">Quiet</button><button class="danger">Danger</button><button class="second small">Small</button><button aria-busy="true">Busy</button><button disabled aria-describedby="why">Disabled</button></p><p class="hint" id="why">It is disabled while all agents are paused.</p>`)}
${part(
  'Fields',
  textField({ name: 'plain', label: 'Plain', value: 'a value', hint: 'A hint below the label.' }),
  textField({ name: 'faulty', label: 'With a fault', value: long, fault: 'It has more than 64 characters.' }),
  textField({ name: 'fixed', label: 'Read only', value: 'cannot be changed', more: html`readonly` }),
  textArea({ name: 'long', label: 'Text', value: `${long}\nsecond line`, more: html`rows="3"` }),
  selectField({
    name: 'choice',
    label: 'Choice',
    value: 'b',
    options: [
      ['a', 'First'],
      ['b', long],
    ],
  }),
  html`<p><label class="option"><input type="checkbox" checked> <span>Checked <small>with what it means</small></span></label></p>`,
)}
${part('Badges and chips', html`<p><span class="badge">invalidated</span> <a class="chip" href="#main">by ${said(long)} ${icon('x')}</a></p>`)}
${part('Messages', done('The memory was written.'), problem('The text is over 1 MiB.'), notice('A plan is used up.'), empty('There is no memory yet.', html`<a class="button second" href="#main">Add the first one</a>`))}
${part('States', html`<p>${kinds.map((kind) => html`${state(kind, kind)} `)}</p>`)}
${part('Strip', strip(kinds.map((kind) => ({ name: kind, kind, words: `is ${kind}`, date: at }))))}
${part(
  'Slip',
  ...kinds.slice(0, 3).map(
    (kind) =>
      html`<div class="slip"><header class="${kind}"><h2>${said(long)} wrote a memory</h2></header><div class="stub">${facts(
        [
          ['Who', said('Ada')],
          ['State', state(kind, kind)],
        ],
      )}</div></div><br>`,
  ),
)}
${part(
  'Facts',
  facts([
    ['Name', said(`a\u202Eb\u200B ${long}`)],
    ['Receipt', identity(id, '#main')],
    ['When', at],
    ['Number', 12],
  ]),
)}
${part(
  'Tiles',
  tiles([
    { name: 'Actions', figure: '9,999', detail: html`<meter min="0" max="10" value="9">9 of 10</meter> of 10,000` },
    { name: 'A link', figure: '12', to: '#main' },
    { name: 'Not known', figure: '–', detail: 'no checkpoint is confirmed yet' },
  ]),
)}
${part(
  'Table',
  table({
    caption: 'Rows',
    columns: [
      { name: 'What', look: 'wide-cell' },
      { name: 'State', look: 'not-on-phones' },
      { name: 'Number', look: 'number' },
    ],
    rows: [
      { cells: [html`<a class="whole" href="#main">${said(long)}</a>`, state('verified', 'In Bitcoin'), 1] },
      { cells: [html`<a class="whole" href="#main">Selected</a>`, state('waits', 'Waits'), 22], selected: true },
    ],
    end: pager('2 rows', '#main'),
  }),
)}
${part(
  'Timeline',
  timeline([
    { icon: 'file-text', sentence: html`<b>Ada</b> wrote a memory`, receipt: identity(id, '#main'), at },
    {
      icon: 'trash-2',
      sentence: html`<b>${said(long)}</b> deleted a memory`,
      detail: said('after an approval'),
      receipt: identity(id, '#main'),
      at,
    },
  ]),
)}
${part('Secret', html`<p class="secret"><code>ak_${long}${long}</code></p>`)}`;
  return layout({
    title: 'Components',
    header: html`${publicHeader('/components', { to: '#main', name: 'Sign in' })}${pauseBanner({ since: '2026-11-27T11:58:00.000Z', by: 'ada@example.org', receipt: id }, { role: 'owner', path: '/rules', now })}`,
    main: html`<main id="main">${main}</main>`,
    styles: [addressOf('pages.css')],
  });
}

describe('the components of pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  // @covers PAGES-LOOKS
  it.each([
    [320, 'dark', 'none'],
    [375, 'light', 'none'],
    [375, 'dark', 'none'],
    [1280, 'light', 'none'],
    [1280, 'dark', 'none'],
    [1280, 'light', 'active'],
  ] as const)('can be read and used in all of their states, at %i pixels, %s, forced colours %s', async (width, colorScheme, forcedColors) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, forcedColors });
    const style = readFileSync(join(packageRoot, 'dist/web', addressOf('pages.css')), 'utf8');
    await page.route(`${base}/**`, (route) =>
      route.request().url().endsWith('.css')
        ? route.fulfill({ contentType: 'text/css', body: style })
        : route.fulfill({ contentType: 'text/html; charset=utf-8', body: everything() }),
    );
    await page.goto(`${base}/components`);
    if (shots !== undefined) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({
        path: join(shots, `components-${width}-${colorScheme}-${forcedColors}.png`),
        fullPage: true,
      });
    }
    expect(await overflow(page)).toBe(0);
    expect(await unlabelled(page)).toEqual([]);
    if (forcedColors === 'none') expect(await faintTexts(page)).toEqual([]);
    expect(await brokenRules(page)).toEqual([]);
    await page.close();
  });
});
