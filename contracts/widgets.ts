import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { symbol } from './terminal.js';

/** One to three digits of ASCII. */
const pixels = (least: number, most: number, standard: number) =>
  z
    .string()
    .regex(/^[0-9]{1,3}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .default(standard);

const described = (meaning: string, least: number, most: number, standard: number) => ({
  described: z.int().min(least).max(most).default(standard).describe(meaning),
});

const { widgetWidthMin, widgetWidthMax, widgetHeightMin, widgetHeightMax } = limits;

export const compositeQuery = {
  theme: field(
    z.enum(['dark', 'light'], 'must be dark or light').default('dark').describe('The colours of the widget.'),
    'invalid_theme',
  ),
  w: field(
    pixels(widgetWidthMin, widgetWidthMax, 320),
    'invalid_dimension',
    described('The width in pixels.', widgetWidthMin, widgetWidthMax, 320),
  ),
  h: field(
    pixels(widgetHeightMin, widgetHeightMax, 100),
    'invalid_dimension',
    described('The height in pixels.', widgetHeightMin, widgetHeightMax, 100),
  ),
} as const;

export const tickerQuery = {
  symbol: field(symbol.describe('The symbol of a capability.'), 'invalid_symbol'),
  ...compositeQuery,
} as const;
