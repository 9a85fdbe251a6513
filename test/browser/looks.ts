import type { Page } from 'playwright-core';

/** How many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** The fields that have no label, and the buttons and links without a text; what a closed menu holds is not looked at. */
export function unlabelled(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('input:not([type=hidden]), select')].filter((field) => field.labels.length === 0),
    ...[...document.querySelectorAll('button, a')].filter((one) => one.innerText.trim() === '' && !one.matches('.skip')),
  ].filter((one) => one.checkVisibility()).map((one) => one.outerHTML)`);
}

/**
 * The texts whose contrast with what is behind them is too small: less than 4.5, or 3 where they are large (WCAG 2.2, 1.4.3).
 */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
    const light = (color) => {
      const [red, green, blue] = channels(color).map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element) => {
      const color = getComputedStyle(element).backgroundColor;
      const [, , , alpha = 1] = channels(color);
      return alpha === 1 || !element.parentElement ? color : behind(element.parentElement);
    };
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    return [...document.body.querySelectorAll('*')].filter(hasText).flatMap((element) => {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const [high, low] = [light(color), light(behind(element))].sort((a, b) => b - a);
      const isLarge = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
      const contrast = (high + 0.05) / (low + 0.05);
      const isDisabled = element.closest('label')?.querySelector(':disabled');
      return contrast >= (isLarge ? 3 : 4.5) || isDisabled ? [] : [element.outerHTML + ' ' + contrast.toFixed(2)];
    });
  })()`);
}

/** The places in the page, in the order in which the tabulator reaches them, and whether each shows that it is focused. */
export async function focusOrder(page: Page): Promise<{ readonly place: number; readonly isShown: boolean }[]> {
  const stops: { place: number; isShown: boolean }[] = [];
  await page.evaluate('document.activeElement?.blur()');
  for (let pressed = 0; pressed < 200; pressed += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<{ place: number; isShown: boolean }>(`(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return {
        place: [...document.querySelectorAll('*')].indexOf(element),
        isShown: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      };
    })()`);
    if (stop.place <= (stops.at(-1)?.place ?? 0)) break;
    stops.push(stop);
  }
  return stops;
}
