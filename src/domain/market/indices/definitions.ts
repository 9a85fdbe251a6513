import type { IndexId } from '../../../../contracts/index-ids.js';

/** The measure of the links of an index, or for `reliability` and `concentration` its figure of each day. */
type Measure = 'quantity' | 'price' | 'latency' | 'reliability' | 'concentration';

export interface IndexDefinition {
  readonly id: IndexId;
  readonly name: string;
  readonly kind: 'composite' | 'sub' | 'factor';
  readonly measure: Measure;
  /** The sector whose capabilities it is made of; null for all. */
  readonly sector: string | null;
}

const factor = (id: IndexId, name: string, measure: Measure): IndexDefinition => ({
  id,
  name,
  kind: 'factor',
  measure,
  sector: null,
});

const sub = (id: IndexId, name: string, sector: string): IndexDefinition => ({
  id,
  name,
  kind: 'sub',
  measure: 'quantity',
  sector,
});

/** In the order of the feed. */
export const indexDefinitions: readonly IndexDefinition[] = [
  { id: 'CFX', name: 'Composite', kind: 'composite', measure: 'quantity', sector: null },
  sub('CFX.BUILD', 'Build', 'build'),
  sub('CFX.KNOW', 'Know', 'know'),
  sub('CFX.SERVE', 'Serve', 'serve'),
  sub('CFX.TRANSACT', 'Transact', 'transact'),
  factor('CFX.COST', 'Cost', 'price'),
  factor('CFX.REL', 'Reliability', 'reliability'),
  factor('CFX.LAT', 'Latency', 'latency'),
  factor('CFX.HHI', 'Concentration', 'concentration'),
];

/** Whether its level is chained by links from one priced day to the next. */
export const isChained = ({ measure }: IndexDefinition): boolean =>
  measure === 'quantity' || measure === 'price' || measure === 'latency';
