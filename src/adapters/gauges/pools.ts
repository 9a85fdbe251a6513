import { Counter, Gauge, type Registry } from 'prom-client';

/** The connections of one pool, and what was asked of the database since it was opened. */
export interface PoolLoad {
  readonly pool: string;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly transactions: number;
  readonly statements: number;
  readonly messages: number;
}

export function showPools(registry: Registry, pools: () => readonly PoolLoad[]): void {
  new Gauge({
    name: 'counterfoil_database_connections',
    help: 'Connections to the database that are open, by what they are for and whether they are in use.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { pool, open, idle } of pools()) {
        this.set({ pool, state: 'used' }, open - idle);
        this.set({ pool, state: 'idle' }, idle);
      }
    },
  });
  new Gauge({
    name: 'counterfoil_database_waiting',
    help: 'Callers that wait for a connection to the database.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { pool, waiting } of pools()) this.set({ pool }, waiting);
    },
  });
  const counter = (name: string, help: string, count: (one: PoolLoad) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        this.reset();
        for (const one of pools()) this.inc({ pool: one.pool }, count(one));
      },
    });
  counter(
    'counterfoil_database_transactions_total',
    'Transactions of the database that this process has begun.',
    ({ transactions }) => transactions,
  );
  counter(
    'counterfoil_database_statements_total',
    'Statements that this process has sent to the database, with those that begin and end transactions.',
    ({ statements }) => statements,
  );
  counter(
    'counterfoil_database_messages_total',
    'Messages of this process to the thread of the embedded database; a server has none.',
    ({ messages }) => messages,
  );
}
