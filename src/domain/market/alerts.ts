import type { FigureTarget } from './feeds/questions.js';
import type { FeedValue } from './numbers/feed-text.js';
import { Figure } from './numbers/figure.js';

/** A row of a feed by the names of its members. */
type Row = Readonly<Record<string, FeedValue>>;

/** All rows of one moment as feeds show them, those beyond the bounds of feeds too. */
export interface FigureRows {
  readonly tickers: readonly Row[];
  readonly indices: readonly Row[];
  readonly agents: readonly Row[];
  readonly counterparties: readonly Row[];
}

/**
 * Finds the figure of a target, as the feed of the same moment shows it.
 * @returns a function that gives null where the figure is null, and where there is no such row
 */
export function figureLookup(rows: FigureRows): (target: FigureTarget) => Figure | number | null {
  const found = new Map<FigureTarget['scope'], ReadonlyMap<string, Row>>();
  return ({ scope, target, metric }) => {
    const byName = found.get(scope) ?? new Map(named[scope](rows));
    found.set(scope, byName);
    const value = byName.get(target)?.[metric];
    return value instanceof Figure || typeof value === 'number' ? value : null;
  };
}

const named: Readonly<Record<FigureTarget['scope'], (rows: FigureRows) => [string, Row][]>> = {
  ticker: ({ tickers }) => tickers.map((row) => [String(row.symbol), row]),
  index: ({ indices }) => indices.map((row) => [String(row.id), row]),
  agent: ({ agents }) => agents.map((row) => [agentName(row), row]),
  vendor: ({ counterparties }) =>
    counterparties.filter(({ role }) => role === 'vendor').map((row) => [String(row.name), row]),
};

const agentName = ({ agent_id: id, handle, tag }: Row): string => String(id ?? `${String(handle)}~${String(tag)}`);
