import { least, marketOf } from '../samples.js';

/** Where a refusal says that the fault is: the path of its first issue, or the limit that was exceeded and by what. */
type Fault = string | { readonly limit: number; readonly got: number };

/** The subject of the row; the value that is sent, as a value or as a JSON text; the code of the refusal; the fault. */
export type Row = readonly [about: string, sent: unknown, code: string, fault?: Fault];

/** A receipt with these members changed. */
export const but = (members: object): object => ({ ...least, ...members });

/** A receipt without a member. */
export const without = (name: string): object =>
  Object.fromEntries(Object.entries(least).filter(([member]) => member !== name));

/** The JSON text of a receipt with these members, whose values are spelled like this. */
export function spelled(members: Readonly<Record<string, string>>, receipt: object = least): string {
  const values = Object.entries(receipt).filter(([name]) => !Object.hasOwn(members, name));
  const texts = [...values.map(([name, value]) => [name, JSON.stringify(value)]), ...Object.entries(members)];
  return `{${texts.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** A receipt with these statements in its extension `market`. */
export const stating = (members: object): object => but({ market: marketOf(members) });

/** A receipt whose extension `market` has this text, after its schema. */
export const statingText = (text: string): string => spelled({ market: `{"schema":"counterfoil-market/1",${text}}` });

export const repeated = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

/** The text of lists in lists. */
export const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
