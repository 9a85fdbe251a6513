import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { faintTexts, overflow, unlabelled } from './looks.js';

/** A window that a page is looked at in: its width, and the colours that the person prefers. */
export type Window = readonly [width: number, colorScheme: 'light' | 'dark'];

/** The windows of a phone, a tablet and a desk, by day and by night. */
export const windows = [375, 768, 1280].flatMap((width): Window[] => [
  [width, 'light'],
  [width, 'dark'],
]);

/** The folder for screenshots that a person wants to look at. */
const shots = process.env.SCREENSHOTS;

/** Makes the window of an open page another one: its style follows at once, and the page is not loaded again. */
export async function resize(page: Page, [width, colorScheme]: Window, height = 800): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await expect.poll(() => page.evaluate<number>('innerWidth')).toBe(width);
}

/** Compares what the page looks like, in the window that it has, with the rules for all pages. */
export async function look(page: Page, name: string): Promise<void> {
  // The text of a page is there before its style.
  await page.waitForLoadState('load');
  if (shots !== undefined) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  }
  expect([name, await overflow(page)]).toEqual([name, 0]);
  expect([name, await unlabelled(page)]).toEqual([name, []]);
  expect([name, await faintTexts(page)]).toEqual([name, []]);
  expect([name, await page.locator('h1').count(), await page.locator('main').count()]).toEqual([name, 1, 1]);
}

/** The same in each window. @param also what else must hold in each */
export async function lookInEach(
  page: Page,
  name: string,
  also: (window: Window) => Promise<void> = async () => undefined,
): Promise<void> {
  for (const window of windows) {
    await resize(page, window);
    await look(page, `${name}-${window[0]}-${window[1]}`);
    await also(window);
  }
}

/** The name of a path in messages and of its screenshots. */
export const nameOf = (path: string) =>
  path
    .replaceAll(/[/?=&:.*]/g, '-')
    .replaceAll(/(rcp_|apr_)?[0-9a-f-]{32,36}/g, 'id')
    .slice(0, 60);
