import type { ImportReport } from '../../domain/imports/imported.js';

/** The number of sensitive values of each kind. */
type Counts = Readonly<Record<string, number>>;

/** Counts the results of an import and describes them. */
export interface Tally extends ImportReport {
  written(): void;
  there(): void;
  /** Of a memory that is in the service now: sensitive values were replaced in it. */
  redacted(place: string, counts: Counts): void;
  refused(place: string, code: string, sentence: string): void;
  /** Of a memory that was deleted where it comes from. */
  leftOut(place: string, sentence: string): void;
  unknownNamespace(name: string): void;
  any(): boolean;
  /** Whether all memories of what was imported are in the service now. */
  complete(): boolean;
  /** A table, and advice. */
  summary(): string;
}

const rows = ['Written', 'Already there', 'Redacted', 'Deleted there', 'Refused', 'Incomplete', 'Assumed'] as const;
type Row = (typeof rows)[number];

/** The number of lines of each row that are shown. Further ones are only counted, because they usually have the same reasons. */
const mostShown = 100;
const mostNames = 20;

/** @param say shows a line immediately */
export function createTally(say: (text: string) => void): Tally {
  const numbers = new Map<Row, number>(rows.map((row) => [row, 0]));
  const kinds = new Map<string, number>();
  const codes = new Map<string, number>();
  const unknown = new Set<string>();
  const count = (row: Row, line?: string) => {
    const number = add(numbers, row, 1);
    if (line === undefined || number > mostShown + 1) return;
    say(number <= mostShown ? line : `Further lines of the row ${row} are counted only.`);
  };
  const numberOf = (row: Row) => numbers.get(row) ?? 0;
  return {
    written: () => count('Written'),
    there: () => count('Already there'),
    redacted(place, counts) {
      for (const [kind, number] of Object.entries(counts)) add(kinds, kind, number);
      count('Redacted', `${place}: redacted: ${listed(Object.entries(counts))}`);
    },
    leftOut: (place, sentence) => count('Deleted there', `${place}: not written: ${sentence}`),
    refused(place, code, sentence) {
      add(codes, code, 1);
      count('Refused', `${place}: ${code}: ${sentence}`);
    },
    incomplete: (sentence) => count('Incomplete', `incomplete: ${sentence}`),
    assumed: (place, sentence) => count('Assumed', `${place}: assumed: ${sentence}`),
    unknownNamespace(name) {
      if (unknown.size <= mostNames) unknown.add(name);
    },
    any: () => rows.some((row) => numberOf(row) > 0),
    complete: () => numberOf('Refused') === 0 && numberOf('Incomplete') === 0,
    summary() {
      const details = new Map<Row, string>([
        ['Redacted', listed([...kinds])],
        ['Refused', listed([...codes])],
      ]);
      const table = rows.map((row) => line(row, numberOf(row), details.get(row) ?? ''));
      return [...table, ...(unknown.size > 0 ? [adviceOn([...unknown])] : [])].join('\n');
    },
  };
}

function line(row: Row, number: number, details: string): string {
  return `${row.padEnd(14)}${String(number).padStart(7)}  ${details}`.trimEnd();
}

function add<K>(numbers: Map<K, number>, key: K, more: number): number {
  const number = (numbers.get(key) ?? 0) + more;
  numbers.set(key, number);
  return number;
}

const listed = (counts: readonly (readonly [string, number])[]): string =>
  counts.map(([name, number]) => `${name} ${number}`).join(', ');

function adviceOn(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => JSON.stringify(name));
  const others = names.length > mostNames ? ' and others' : '';
  return [
    `There is no namespace ${shown.join(', ')}${others}. An admin who is signed in makes one with`,
    'POST /v1/namespaces {"name": "…"}; or --namespace puts every memory into one that is there. Then run this again.',
  ].join('\n');
}
