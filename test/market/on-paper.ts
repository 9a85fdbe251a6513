/** Rounding as people do it on paper, on the digits of a number that is written without an exponent. */
export function roundedOnPaper(spelled: string): bigint {
  const [mantissa = '', exponent = '0'] = spelled.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const at = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`.padEnd(Math.max(at, 0), '0');
  const before = at <= 0 ? '0' : digits.slice(0, at);
  const behind = `${'0'.repeat(Math.max(0, -at))}${at <= 0 ? digits : digits.slice(at)}`.padEnd(6, '0');
  const kept = BigInt(before + behind.slice(0, 6));
  const rest = behind.slice(6).replace(/0+$/, '');
  const isOdd = /[13579]$/.test(kept.toString());
  const isUp = rest === '5' ? isOdd : rest > '5' && rest !== '';
  return isUp ? kept + 1n : kept;
}
