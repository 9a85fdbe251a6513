import { Counter, type Registry } from 'prom-client';

/** Counts of this process since its start. */
export interface Counts {
  /** Appends to the ledger, by what became of them. */
  appends(): ReadonlyMap<string, number>;
  /** The commands and entries of the appends that were made. */
  appended(): { readonly commands: number; readonly entries: number };
  /** Attempts to deliver to webhooks, by what became of them. */
  deliveries(): ReadonlyMap<string, number>;
  /** Spans that look like those of GenAI and have no operation. */
  spansWithoutOperation(): number;
  /** Stored texts that were not what their receipts commit to. */
  altered(): number;
}

export function showCounts(registry: Registry, counts: Counts): void {
  const counter = (name: string, help: string, count: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(count());
      },
    });
  const byOutcome = (name: string, help: string, count: () => ReadonlyMap<string, number>) =>
    new Counter({
      name,
      help,
      labelNames: ['outcome'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [outcome, times] of count()) this.inc({ outcome }, times);
      },
    });
  byOutcome(
    'counterfoil_ledger_appends_total',
    'Appends to the ledger by this process, each to one or more chains; conflict: another process was quicker, and the commands are decided again.',
    counts.appends,
  );
  counter(
    'counterfoil_commands_total',
    'Commands that this process has appended to the ledger; those that wait at the same time are appended together.',
    () => counts.appended().commands,
  );
  counter(
    'counterfoil_entries_total',
    'Entries that this process has appended to the ledger.',
    () => counts.appended().entries,
  );
  byOutcome(
    'counterfoil_webhook_attempts_total',
    'Attempts of this process to deliver to webhooks; pending: it is tried again; dead: it was given up.',
    counts.deliveries,
  );
  counter(
    'counterfoil_otlp_spans_without_operation_total',
    'Spans with attributes of GenAI whose operation is not known, so that they became no receipts.',
    counts.spansWithoutOperation,
  );
  counter(
    'counterfoil_altered_contents_total',
    'Stored texts that were not what their receipts commit to when they were about to be shown, sent or indexed.',
    counts.altered,
  );
}
