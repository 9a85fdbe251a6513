import { cpus, totalmem } from 'node:os';

/** The machine a table was measured on, in one line. */
export function machineLine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${memory} GiB, Node ${process.version}, ${process.platform}`;
}

/** The value below which `share` (0..1) of the sorted values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Rows with their cells in columns. A row of one cell, such as the machine, does not widen the first column. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths: number[] = [];
  for (const row of rows.filter((cells) => cells.length > 1)) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, String(cell).length);
  }
  return rows.map((row) => row.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
