import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The place of the focus, as a person sees and hears it. */
export interface Focus {
  readonly name: string;
  readonly role: string;
  /** Whether an outline shows it. */
  readonly isShown: boolean;
  /** Whether nothing covers the whole of it, such as the header that stays in view. */
  readonly isInView: boolean;
}

const focus = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const parts = [0.1, 0.5, 0.9];
  const points = parts.flatMap((x) => parts.map((y) => [left + x * (right - left), top + y * (bottom - top)]));
  const [around] = element.labels ?? [];
  // A label around a select has the texts of its options, too.
  const label = (around?.querySelector('.spoken') ?? around)?.innerText ?? element.getAttribute('aria-label');
  return {
    name: (label ?? element.innerText ?? '').trim().replace(/\\s+/g, ' ').slice(0, 200),
    role: element === document.body ? 'none' : (element.getAttribute('role') ?? element.localName),
    isShown: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
    isInView: points.some(([x, y]) => {
      const found = document.elementFromPoint(x, y);
      return found !== null && (element.contains(found) || found.contains(element) && found.localName === 'label');
    }),
  };
})()`;

export const focusOf = (page: Page): Promise<Focus> => page.evaluate<Focus>(focus);

/** Keys of a keyboard and nothing else: no mouse, and no focus that a script sets. */
export interface Keyboard {
  /** Presses the tabulator until the focus is at the element with this name; each place on the way must be seen. */
  reach(name: string | RegExp, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Goes there and presses Enter. */
  follow(name: string | RegExp, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Waits until the focus is at an element with this role, and says what is read there. */
  hears(role: string): Promise<string>;
}

const mostStops = 150;

export function keyboardOf(page: Page): Keyboard {
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const reach = async (name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    const passed: string[] = [];
    for (let pressed = 0; pressed < mostStops; pressed += 1) {
      await page.keyboard.press(key);
      const at = await focusOf(page);
      // After the last place the tabulator leaves the page, and comes back at its other end.
      if (at.role === 'none') continue;
      expect([page.url(), at]).toEqual([page.url(), { ...at, isShown: true, isInView: true }]);
      if (typeof name === 'string' ? at.name === name : name.test(at.name)) return;
      passed.push(at.name);
    }
    throw new Error(`the keyboard does not reach ${name} at ${page.url()}; it has passed ${passed.join(' | ')}`);
  };
  return {
    reach,
    press,
    async follow(name, key) {
      await reach(name, key);
      await page.keyboard.press('Enter');
    },
    type: (text) => page.keyboard.type(text),
    async hears(role) {
      await expect.poll(async () => (await focusOf(page)).role).toBe(role);
      const at = await focusOf(page);
      expect([page.url(), at]).toEqual([page.url(), { ...at, isShown: true, isInView: true }]);
      return at.name;
    },
  };
}
