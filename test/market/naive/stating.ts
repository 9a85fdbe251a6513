import type { Market } from '../../../contracts/market.js';
import { grouped, type Line, newest } from './lines.js';
import { exact, shown } from './numbers.js';

export type Kind = 'rfq' | 'quote' | 'auction' | 'forward';
export type Said<K extends keyof Market> = NonNullable<Market[K]>;
export type Stating<K extends keyof Market> = Line & { readonly said: Said<K> };

export const stating = <K extends 'fill' | 'sla' | Kind>(lines: readonly Line[], kind: K): Stating<K>[] =>
  lines.flatMap((line) => {
    const said = line.market[kind];
    return said === undefined ? [] : [{ ...line, said: said as Said<K> }];
  });

/** The objects of one kind with the statements of their owners. */
export function objects<K extends Kind>(lines: readonly Line[], kind: K, idOf: (said: Said<K>) => string) {
  return [...grouped(stating(lines, kind), ({ said }) => idOf(said))].map(([id, all]) => {
    const own = all.filter(({ workspace }) => workspace === all[0]?.workspace);
    return { id, own, state: newest(own) };
  });
}

export const figure = (value: number | undefined): string | null => (value === undefined ? null : shown(exact(value)));
