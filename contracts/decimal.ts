/** The digits of a number as JSON spells it. Zeros at the beginning and at the end do not count. */
export interface Decimal {
  readonly significantDigits: number;
  /** The number of digits after the decimal point, when the number is written without an exponent. */
  readonly decimals: number;
}

/** @param spelling a JSON number. The time is proportional to its length. */
export function decimalOf(spelling: string): Decimal {
  const [mantissa = '', exponent = '0'] = spelling.split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  let [first, end] = [0, digits.length];
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return { significantDigits: 0, decimals: 0 };
  while (digits[first] === '0') first += 1;
  const decimals = fraction.length - Number(exponent) - (digits.length - end);
  return { significantDigits: end - first, decimals: Math.max(0, decimals) };
}

export function hasAtMostDecimals(value: number, most: number): boolean {
  return Number.isInteger(value) || decimalOf(String(value)).decimals <= most;
}
