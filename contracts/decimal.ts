/** The digits of a number as JSON spells it. Zeros at the beginning and at the end do not count. */
interface Decimal {
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

/**
 * Whether a × b is at most `most`, worked out from the digits of both and not in floating point.
 * @param a from 0, as `b`
 */
export function isProductAtMost(a: number, b: number, most: number): boolean {
  const [left, right] = [digitsOf(a), digitsOf(b)];
  const digits = left.digits * right.digits;
  const exponent = left.exponent + right.exponent;
  return exponent >= 0
    ? digits * 10n ** BigInt(exponent) <= BigInt(most)
    : digits <= BigInt(most) * 10n ** BigInt(-exponent);
}

/** The number is digits × 10^exponent. */
function digitsOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
