/** A number without exponent, as feeds print numbers; at most 20 decimals. */
export function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Math.abs(value) >= 1 ? BigInt(value).toString() : value.toFixed(20).replace(/\.?0+$/, '');
}
