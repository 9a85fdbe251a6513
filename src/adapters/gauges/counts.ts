import { Counter, type Registry } from 'prom-client';

/** Counts of this process since its start. */
export interface Counts {
  /** Appends to the ledger, by what became of them. */
  appends(): ReadonlyMap<string, number>;
  /** Spans that look like those of GenAI and have no operation. */
  spansWithoutOperation(): number;
}

export function showCounts(registry: Registry, { appends, spansWithoutOperation }: Counts): void {
  new Counter({
    name: 'counterfoil_ledger_appends_total',
    help: 'Appends to the ledger by this process; conflict: another process was quicker, and the commands are decided again.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of appends()) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'counterfoil_otlp_spans_without_operation_total',
    help: 'Spans with attributes of GenAI whose operation is not known, so that they became no receipts.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(spansWithoutOperation());
    },
  });
}
