import type { IndexRow } from '../indices/rows.js';
import type { FeedValue } from '../numbers/feed-text.js';
import { Figure } from '../numbers/figure.js';
import type { AgentRow } from './agents.js';
import type { Counterparty } from './counterparties.js';
import type { FigureTarget } from './questions.js';
import type { Ticker } from './tickers.js';

/** All rows of the terminal, also those beyond the bounds of its lists. */
export interface TerminalRows {
  readonly indices: readonly IndexRow[];
  readonly tickers: readonly Ticker[];
  readonly agents: readonly AgentRow[];
  readonly counterparties: readonly Counterparty[];
}

type Row = Readonly<Record<string, FeedValue>>;

/** A function of these rows only: the figure of a target, or null while there is none. */
export function createFigures(rows: TerminalRows): (target: FigureTarget) => Figure | number | null {
  const vendors = rows.counterparties.filter(({ role }) => role === 'vendor');
  const found: Readonly<Record<FigureTarget['scope'], ReadonlyMap<string, Row>>> = {
    ticker: rowsBy(rows.tickers, ({ symbol }) => symbol),
    index: rowsBy(rows.indices, ({ id }) => id),
    agent: rowsBy(rows.agents, ({ agent_id, handle, tag }) => agent_id ?? `${handle}~${tag}`),
    vendor: rowsBy(vendors, ({ name }) => name),
  };
  return ({ scope, target, metric }) => {
    const value = found[scope].get(target)?.[metric];
    return value instanceof Figure || typeof value === 'number' ? value : null;
  };
}

const rowsBy = <R extends Row>(rows: readonly R[], keyOf: (row: R) => string): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [keyOf(row), row]));
