import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type LogSourceOptions, openLogSource } from '../adapters/log-source.js';
import { consistencyProof, inclusionProof, type Tiles } from '../tlog/tree.js';
import { toUtf8 } from '../verifier/bytes.js';
import { type Evidence, evaluate, readEvidence, writeEvidence } from '../verifier/evidence.js';
import { type Contradiction, type Followed, follow, type Sound, type Wrong } from '../verifier/follow.js';
import { readEntries } from '../verifier/leaf.js';
import { readLog } from '../verifier/log.js';
import type { LogSource } from '../verifier/log-tiles.js';
import { formatVerifierKey } from '../verifier/note-key.js';
import { readState, writeState } from './audit-state.js';
import { readKeys } from './keys-option.js';
import { type ProgressDisplay, showProgress } from './progress.js';
import { printable, printableLine, type Terminal, terminal } from './terminal.js';

export interface AuditOptions {
  /** Verifier keys, or files with one key on each line. */
  readonly key: readonly string[];
  /** The file that stores the result of this visit for the next one. */
  readonly state?: string;
}

type Out = Pick<Terminal, 'out' | 'err'>;

/**
 * Follows a public log as an outsider: the first visit checks everything that the log has signed, and later visits
 * check that the log only extends what was seen before.
 * @param where the log's address, or a directory with the same files
 * @returns the exit code: 0 when no fault was found, 1 when one was found, 2 when the log or a file cannot be read
 */
export async function audit(
  where: string,
  options: AuditOptions,
  { out, err }: Out = terminal,
  from: LogSourceOptions & { readonly progress?: ProgressDisplay } = {},
): Promise<number> {
  const progress = from.progress ?? showProgress();
  try {
    const given = (await Promise.all(options.key.map(readKeys))).flat();
    const before = options.state === undefined ? null : readState(options.state);
    const source = openLogSource(where, from);
    const found = await follow(source, before, given, (done, total) => progress.report('audit', done, total));
    progress.stop();
    if ('fault' in found) {
      out(printableLine(found.fault));
      if (found.contradiction) out(await saveEvidence(source, before, found, found.contradiction, options.state));
      return 1;
    }
    out(printable(summary(found, before, given.length > 0)));
    if (options.state !== undefined) writeState(options.state, found.followed);
    else out('Nothing of this visit was stored. Give a file with --state, so that the next visit continues from it.');
    return 0;
  } catch (error) {
    progress.stop();
    err(printableLine(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    return 2;
  }
}

/**
 * Evaluates an evidence file, without the log.
 * @returns the exit code: 0 when it proves a contradiction, 1 when it does not, 2 when it cannot be read
 */
export async function auditEvidence(
  path: string,
  { key }: Pick<AuditOptions, 'key'>,
  { out, err }: Out = terminal,
): Promise<number> {
  try {
    const given = (await Promise.all(key.map(readKeys))).flat();
    const { proven, text, signers } = evaluate(readEvidence(new Uint8Array(readFileSync(path))), given);
    out(printableLine(text));
    if (proven && given.length === 0) {
      out(
        printableLine(
          `It was proven for the holder of the key ${signers.join(' and ')}. Make sure that this is the key of the log.`,
        ),
      );
    }
    return proven ? 0 : 1;
  } catch (error) {
    err(printableLine(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    return 2;
  }
}

function summary({ followed, leaves, heads, signers }: Sound, before: Followed | null, given: boolean): string {
  const { origin, size } = readLog(followed.note);
  const ids = signers.map(({ id }) => id).join(' and ');
  const lines =
    before === null
      ? [`${origin}: all ${size} leaves are sound, ${heads} of them heads of ${followed.heads.size} chains.`]
      : [`${origin}: grown by ${leaves} leaves, ${heads} of them heads, to ${size} since the last visit.`];
  lines.push(`Its checkpoint is signed by key ${ids}.`);
  if (before === null && !given) {
    lines.push(
      '',
      'NO KEY WAS GIVEN: only the log itself says that it is the right one. It was checked with the key',
      '',
    );
    lines.push(...followed.roots.map((root) => `  ${formatVerifierKey(root)}`));
    lines.push('', 'Compare this key with the one that its operator publishes elsewhere, and give it with --key.');
  }
  return lines.join('\n');
}

/** @returns a sentence with the path of the evidence, or the reason why there is none */
async function saveEvidence(
  source: LogSource,
  before: Followed | null,
  { keys }: Wrong,
  contradiction: Contradiction,
  state: string | undefined,
): Promise<string> {
  const path = `${state ?? 'audit'}.evidence.json`;
  if (existsSync(path)) return `${path} exists already and was not changed.`;
  const evidence = await gather(source, before?.note ?? '', keys.map(toUtf8), contradiction);
  const { proven, text } = evaluate(evidence, before?.roots ?? []);
  // Tiles are not signed. If the log now serves other tiles than before, nothing shows that it has signed them.
  if (!proven && contradiction.kind !== 'smaller') return `There is no evidence of it for others. ${text}`;
  writeFileSync(path, writeEvidence(evidence), { flag: 'wx' });
  const check = `Others can check it: counterfoil audit --evidence ${path}`;
  return proven ? `The evidence is in ${path}. ${check}` : `Both checkpoints are in ${path}. ${text}`;
}

async function gather(
  source: LogSource,
  older: string,
  keys: readonly Uint8Array[],
  contradiction: Contradiction,
): Promise<Evidence> {
  const { later } = contradiction;
  const { size } = readLog(later);
  const tiles = tilesOf(source, size);
  switch (contradiction.kind) {
    case 'fork':
    case 'smaller':
      return { kind: contradiction.kind, keys, older, later };
    case 'inconsistent': {
      const consistency = await consistencyProof(tiles, readLog(older).size, size);
      return { kind: 'inconsistent', keys, older, later, root: contradiction.root, consistency };
    }
    case 'shrunk': {
      const heads = contradiction.indexes.map(async (index) => ({
        leaf: await leafAt(source, index, size),
        index,
        inclusion: await inclusionProof(tiles, index, size),
      }));
      return { kind: 'shrunk', keys, later, heads: await Promise.all(heads) };
    }
  }
}

/** Requests tiles with the width that they have in a log of this size, because narrower ones may have been removed. */
function tilesOf(source: LogSource, size: number): Tiles {
  return {
    async read(level, index, width) {
      const tile = await source.tile(level, index, Math.min(256, Math.floor(size / 256 ** level) - 256 * index));
      return tile.slice(0, 32 * width);
    },
  };
}

async function leafAt(source: LogSource, index: number, size: number): Promise<Uint8Array> {
  const tile = Math.floor(index / 256);
  const width = Math.min(256, size - 256 * tile);
  const leaf = readEntries(await source.tile('entries', tile, width), width)[index % 256];
  if (!leaf) throw new Error(`the log has no leaf ${index}`);
  return leaf;
}
