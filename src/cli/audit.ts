import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type LogSourceOptions, openLogSource } from '../adapters/log-source.js';
import { consistencyProof, inclusionProof } from '../tlog/tree.js';
import { fromUtf8, toUtf8 } from '../verifier/bytes.js';
import { readLog } from '../verifier/checkpoint.js';
import { type Evidence, evaluate, readEvidence, writeEvidence } from '../verifier/evidence.js';
import { type Contradiction, type Followed, follow, type Sound, type Wrong } from '../verifier/follow.js';
import type { LogSource, SuccessorSource } from '../verifier/log-tiles.js';
import { formatVerifierKey, type VerifierKey } from '../verifier/note.js';
import { followSuccessor, type Succeeded, successionOf, type WrongSuccession } from '../verifier/succeeded.js';
import { readState, writeState } from './audit-state.js';
import { falselyWhole, gatherBeyond, gatherUnextended, shownSuccessions } from './audit-succession.js';
import { leafAt, tilesOf } from './audit-tiles.js';
import { readKeys } from './keys-option.js';
import { type ProgressDisplay, showProgress } from './progress.js';
import { printable, printableLine, type Terminal, terminal } from './terminal.js';

export interface AuditOptions {
  /** Verifier keys, or files with one key on each line. */
  readonly key: readonly string[];
  /** The file that stores the result of this visit for the next one. */
  readonly state?: string;
  /** Continue with a log that follows one that has lost leaves. */
  readonly acceptSuccession?: boolean;
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
    const onLeaves = (done: number, total: number) => progress.report('audit', done, total);
    const succeeded = await visitSuccessor(source, before, given, onLeaves);
    if (succeeded) {
      progress.stop();
      return await reportSuccession(source, before, succeeded, options, out);
    }
    const found = await follow(source, before, given, onLeaves);
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

/** The visit of a log that follows the one of the last visit, or of one that was never visited and follows another; otherwise null. */
async function visitSuccessor(
  source: SuccessorSource,
  before: Followed | null,
  given: readonly VerifierKey[],
  onLeaves: (done: number, total: number) => void,
): Promise<Succeeded | WrongSuccession | null> {
  const log = readLog(fromUtf8(await source.checkpoint()));
  if (before ? readLog(before.note).origin === log.origin : !(await successionOf(source, log))) return null;
  return followSuccessor(source, before, given, onLeaves);
}

/** @returns the exit code: 0 only when the reader has said that the succession is accepted, and it is true */
async function reportSuccession(
  source: SuccessorSource,
  before: Followed | null,
  found: Succeeded | WrongSuccession,
  { state, acceptSuccession = false }: AuditOptions,
  out: Out['out'],
): Promise<number> {
  if ('fault' in found) {
    out(printableLine(found.fault));
    if (found.beyond && before) out(await keepEvidence(gatherBeyond(before, found.beyond), before.roots, state));
    else if (found.contradiction) out(await saveEvidence(found.source, before, found, found.contradiction, state));
    return 1;
  }
  out(printable(shownSuccessions(found, before).join('\n')));
  const broken = falselyWhole(found);
  if (broken) {
    out(`The succession is not true: chain ${broken.tag} does not continue from a head that it says was kept.`);
    const evidence = await gatherUnextended(source, found, broken);
    if (evidence) out(await keepEvidence(evidence, found.sound.followed.former, state));
    return 1;
  }
  if (!acceptSuccession) {
    out('Nothing was stored. To continue with the new log: counterfoil audit --accept-succession');
    return 1;
  }
  out(printable(summary(found.sound, null, true)));
  if (state !== undefined) writeState(state, found.sound.followed);
  return 0;
}

/** @returns a sentence with the path of the evidence, or the reason why there is none */
async function keepEvidence(
  evidence: Evidence,
  roots: readonly VerifierKey[],
  state: string | undefined,
): Promise<string> {
  const path = `${state ?? 'audit'}.evidence.json`;
  if (existsSync(path)) return `${path} exists already and was not changed.`;
  const { proven, text } = evaluate(evidence, roots);
  if (!proven) return `There is no evidence of it for others. ${text}`;
  writeFileSync(path, writeEvidence(evidence), { flag: 'wx' });
  return `The evidence is in ${path}. Others can check it: counterfoil audit --evidence ${path}`;
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
