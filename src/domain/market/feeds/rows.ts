import { type Indices, indexRows } from '../indices/rows.js';
import type { Market } from '../state/market.js';
import type { Moment } from '../state/moment.js';
import { type AgentRow, agentRows } from './agents.js';
import { type Counterparty, counterpartiesOf } from './counterparties.js';
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
