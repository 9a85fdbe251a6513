import { type ClosedDayRow, type ClosesSource, openClosesSource } from '../../adapters/closes-source.js';
import { type Chain, noChain } from '../../domain/market/indices/chain.js';
import type { VerifierKey } from '../../verifier/note.js';
import type { Claim, State } from '../../verifier/report.js';
import { Unreadable } from '../../verifier/unreadable.js';
import { readKeys } from '../keys-option.js';
import { type ProgressDisplay, showProgress } from '../progress.js';
import { printable, printableLine, type Terminal, terminal } from '../terminal.js';
import { checkClose, type PublicClose, WrongClose } from './check-close.js';

interface PublicOptions {
  /** Verifier keys, or files with one key on each line. */
  readonly key: readonly string[];
}

/** Closes that are requested together. */
const atOnce = 8;

/**
 * Computes every level of every closed day again from the public files of a running service, and checks the proofs of the
 * entries, as an outsider can.
 * @returns the exit code: 0 when nothing is wrong, 1 when something is, 2 when the service or an option cannot be read
 */
export async function recomputePublic(
  url: string,
  { key }: PublicOptions,
  { out, err }: Pick<Terminal, 'out' | 'err'> = terminal,
  progress: ProgressDisplay = showProgress(),
): Promise<number> {
  try {
    const keys = (await Promise.all(key.map(readKeys))).flat();
    const source = openClosesSource(url);
    const rows = [...(await source.list())].reverse();
    const found = await checkAll(source, rows, keys, (done) => progress.report('closes', done, rows.length));
    progress.stop();
    out(printable(typeof found === 'string' ? found : summary(rows, found)));
    return typeof found === 'string' ? 1 : 0;
  } catch (error) {
    progress.stop();
    err(printableLine(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    return 2;
  }
}

interface Totals {
  levels: number;
  /** Name of a claim → state → number of entries. */
  readonly claims: Map<Claim['name'], Map<State, number>>;
}

/** @returns the totals, or a sentence about the first day that is wrong */
async function checkAll(
  source: ClosesSource,
  rows: readonly ClosedDayRow[],
  keys: readonly VerifierKey[],
  onProgress: (done: number) => void,
): Promise<Totals | string> {
  const totals: Totals = { levels: 0, claims: new Map() };
  let chain: Chain = noChain;
  for (let from = 0; from < rows.length; from += atOnce) {
    const closes = await Promise.all(rows.slice(from, from + atOnce).map((row) => fetchClose(source, row)));
    for (const [at, close] of closes.entries()) {
      try {
        const checked = checkClose(chain, close, keys);
        chain = checked.chain;
        totals.levels += checked.levels;
        for (const claim of checked.claims) count(totals, claim);
      } catch (error) {
        if (!(error instanceof WrongClose || error instanceof Unreadable || error instanceof SyntaxError)) throw error;
        return `The close of ${close.row.day} is wrong: ${error.message}.`;
      }
      onProgress(from + at + 1);
    }
  }
  return totals;
}

async function fetchClose(source: ClosesSource, row: ClosedDayRow): Promise<PublicClose> {
  const { day, receipt_id } = row;
  const [file, entry, proof] = await Promise.all([
    source.file(day),
    source.entry(receipt_id),
    source.proof(receipt_id),
  ]);
  return { row, file, entry, proof };
}

function count({ claims }: Totals, { name, state }: Claim): void {
  const states = claims.get(name) ?? new Map<State, number>();
  claims.set(name, states.set(state, (states.get(state) ?? 0) + 1));
}

/** The claims that entries of the registry can make. They have no content. */
const shownClaims = ['entry', 'inclusion', 'checkpoint', 'consistency', 'opentimestamps'] as const;

function summary(rows: readonly ClosedDayRow[], { levels, claims }: Totals): string {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return 'No day has closed yet.';
  const lines = [
    rows.length === 1
      ? `One day has closed: ${first.day}.`
      : `${rows.length} days have closed: ${first.day} to ${last.day}, without a gap.`,
    '',
    `${'files'.padEnd(14)}  verified     ${rows.length} have the hashes that the entries of their closes state`,
    `${'levels'.padEnd(14)}  verified     ${levels} follow from the files, and are those of the entries`,
    ...shownClaims.flatMap((name) =>
      [...(claims.get(name) ?? [])].map(([state, n]) => `${name.padEnd(14)}  ${state.padEnd(11)}  of ${n} entries`),
    ),
    '',
    'This cannot be checked from outside: that the sums of the files are those of all on-time public receipts of their days.',
    'The root of each day commits to these receipts. The operator shows that they are the right ones with counterfoil recompute FEED --at T,',
    'which computes a feed from the entries themselves.',
  ];
  if (claims.get('checkpoint')?.has('not checked')) {
    lines.push('No key of the log was given, so no signature of a checkpoint was checked. Give it with --key.');
  }
  return lines.join('\n');
}
