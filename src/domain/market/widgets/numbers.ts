/**
 * Numbers as people read them at a glance. The description of a widget has the exact figures, which may have more digits.
 */

const inFull = (least: number, most: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: least, maximumFractionDigits: most });
const cents = inFull(2, 2);
const small = inFull(2, 4);
const tiny = inFull(2, 6);
const whole = inFull(0, 0);
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });

/** Longer numbers are abbreviated: 12.35M. */
const longest = 10_000_000;

const abbreviated = (value: number, format: Intl.NumberFormat): string =>
  (Math.abs(value) >= longest ? short : format).format(value).replace('-', '−');

/** The value of an index. */
export const levelText = (figure: string): string => abbreviated(Number(figure), cents);

/** A price in dollars. Small ones have more decimals, down to a millionth. */
export function priceText(figure: string): string {
  const value = Number(figure);
  return `$${abbreviated(value, value >= 1 || value === 0 ? cents : value >= 0.01 ? small : tiny)}`;
}

/** A change in percent, with its sign. */
export function changeText(figure: string): string {
  const value = Number(figure);
  const text = abbreviated(value, cents);
  const isZero = /^−?0\.00$/.test(text);
  return `${value > 0 && !isZero ? '+' : ''}${isZero ? '0.00' : text}%`;
}

export const countText = (figure: string): string => abbreviated(Number(figure), whole);
