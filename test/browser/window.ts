import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** A page in a browser of its own profile, with what it has said and asked for since it was opened. */
export interface Window {
  readonly page: Page;
  /** Everything that the page has complained about: errors and warnings of its console, and what it has thrown. */
  readonly complaints: readonly string[];
  /** Addresses asked for, in order. */
  readonly requests: readonly string[];
}

/**
 * Debian's Chromium, or the one that CHROMIUM names (see ops/chromium.sh).
 * @param args options of Chromium's command line
 */
export function openBrowser(args: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
}

export async function openWindow(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Window> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    // A browser reports by itself what is not found; the page gets along without the service's keys.
    if (message.location().url.endsWith('/v1/ledger/keys')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  // The service's own log is another one than that of the bundles here.
  await page.route('**/v1/ledger/keys', (route) => route.fulfill({ status: 404 }));
  await page.goto(url);
  return { page, complaints, requests };
}

/** Drops a file somewhere on the page, as a hand would from a file manager. */
export async function dropFile(page: Page, selector: string, name: string, text: string): Promise<void> {
  const file = `new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'application/json' })`;
  const dataTransfer = await page.evaluateHandle(
    `(() => { const files = new DataTransfer(); files.items.add(${file}); return files; })()`,
  );
  await page.dispatchEvent(selector, 'dragover', { dataTransfer });
  await page.dispatchEvent(selector, 'drop', { dataTransfer });
}

/** The computed value of one property of the style of what the selector finds. */
export function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
}

/** Claim → state, as a reader sees them. */
export function statesOn(page: Page): Promise<Record<string, string>> {
  return page.evaluate(`Object.fromEntries(
    [...document.querySelectorAll('.claims > li')].map((item) =>
      ['h3', '.state'].map((part) => item.querySelector(part).innerText)))`);
}

/** A condition that must hold soon: a page reads a file in its own time. */
export const seen = <T>(look: () => Promise<T>) => expect.poll(look);
export const verdictOn = (page: Page) => page.locator('#verdict .sentence').innerText();
