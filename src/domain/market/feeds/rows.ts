import { type IndexRow, type Indices, indexRows } from '../indices/rows.js';
import { Figure } from '../numbers/figure.js';
import type { Market } from '../state/market.js';
import { type AgentRow, agentRows } from './agents.js';
import { type Counterparty, counterpartiesOf } from './counterparties.js';
import type { FeedValue } from './feed-text.js';
import type { Moment } from './head.js';
import type { FigureTarget } from './questions.js';
import { type Ticker, tickersOf } from './tickers.js';

/** The rows that several feeds show, or that alerts watch. They are made once for each moment. */
export interface SharedRows {
  readonly indices: Indices;
  readonly tickers: readonly Ticker[];
  readonly agents: readonly AgentRow[];
  readonly counterparties: readonly Counterparty[];
}

export const sharedRows = (market: Market, { closes, t }: Moment): SharedRows => ({
  indices: indexRows(market, closes, t),
  tickers: tickersOf(market),
  agents: agentRows(market),
  counterparties: counterpartiesOf(market),
});

/** All rows of the terminal, also those beyond the bounds of its lists. */
interface TerminalRows {
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
