/** An amount of wei in ether, with every digit that is not a trailing zero. */
export const ether = (wei: bigint): string => `${decimal(wei, 18)} ether`;

/** A price of a unit of gas in gwei. */
export const gwei = (wei: bigint): string => `${decimal(wei, 9)} gwei`;

function decimal(wei: bigint, places: number): string {
  const digits = wei.toString().padStart(places + 1, '0');
  const part = digits.slice(-places).replace(/0+$/, '');
  return `${digits.slice(0, -places)}${part === '' ? '' : `.${part}`}`;
}
