import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, type Console, startConsole } from './console.js';
import { overflow } from './looks.js';
import { brokenRules } from './rules.js';

const all = [320, 375, 768, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
);
/** Each width and theme with LOOKS=all; without it a phone by day and a desk by night, which has found everything so far. */
const windows =
  process.env.LOOKS === 'all'
    ? all
    : ([
        [375, 'light'],
        [1280, 'dark'],
      ] as const);

/** The pages that are the same for everyone. */
const open = [
  '/verify',
  '/developers',
  '/developers/start',
  '/developers/guides/mcp',
  '/developers/api',
  '/developers/api/approvals',
];

describe('the pages, as axe-core sees them', () => {
  let consoleOf: Console;
  beforeAll(async () => {
    consoleOf = await startConsole();
  });
  afterAll(() => consoleOf.stop());

  // @covers PAGES-LOOKS
  it.each(windows)('break no rule seriously, at %i pixels and %s', { timeout: 600_000 }, async (width, colorScheme) => {
    const { context, page } = await consoleOf.signedIn({ viewport: { width, height: 800 }, colorScheme });
    for (const path of [...consoleOf.paths, ...open]) {
      await page.goto(`${base}${path}`);
      // The list of the documentation is a box that scrolls: a link that its upper edge cuts would count as too small.
      await page.evaluate("document.querySelector('.contents')?.scrollTo(0, 0)");
      expect([path, await brokenRules(page)]).toEqual([path, []]);
      expect([path, await overflow(page)]).toEqual([path, 0]);
    }
    await context.close();
  });

  it('are looked at by a check that finds faults', async () => {
    const { context, page } = await consoleOf.signedIn();
    await page.goto(`${base}/receipts`);
    await page.evaluate("document.querySelector('main').append(document.createElement('button'))");
    expect(await brokenRules(page)).toEqual(['button-name: <button></button>']);
    await context.close();
  });

  it('can be read at 320 pixels, with text twice as large, wider spacing and forced colours', {
    timeout: 600_000,
  }, async () => {
    const { context, page } = await consoleOf.signedIn({
      viewport: { width: 320, height: 640 },
      forcedColors: 'active',
      reducedMotion: 'reduce',
    });
    for (const path of consoleOf.paths) {
      await page.goto(`${base}${path}`);
      expect([path, await overflow(page)]).toEqual([path, 0]);
      // The spacing of WCAG 1.4.12. The policy of the page allows no style of ours but this one, which is set by the browser itself.
      await page.evaluate(`for (const one of document.querySelectorAll('main, main *')) {
        one.style.lineHeight = '1.5'; one.style.letterSpacing = '0.12em'; one.style.wordSpacing = '0.16em';
      }`);
      expect([path, 'with spacing', await overflow(page)]).toEqual([path, 'with spacing', 0]);
    }
    await context.close();
    const zoomed = await consoleOf.signedIn({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
    for (const path of consoleOf.paths) {
      await zoomed.page.goto(`${base}${path}`);
      await zoomed.page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect([path, await overflow(zoomed.page)]).toEqual([path, 0]);
    }
    await zoomed.context.close();
  });
});
