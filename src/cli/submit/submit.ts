import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Line, linesOf } from '../lines.js';
import { type ProgressDisplay, showProgress } from '../progress.js';
import { openRemote, type Remote, type RemoteOptions } from '../remote.js';
import { printable, printableLine, type Terminal, terminal } from '../terminal.js';
import { type ReceiptLine, type RefusedLine, receiptLine } from './receipt-line.js';
import { openRefusals, type RefusalsFile } from './refusals-file.js';
import { sendBatch } from './send.js';
import { atStart, type Progress, readProgress, removeProgress, writeProgress } from './state.js';
import { addCounts, refusedIn, summaryOf } from './tally.js';

export interface SubmitOptions extends RemoteOptions {
  /** The file of refusals, instead of the one beside the input. */
  readonly refused?: string;
  /** The file that remembers how far the run has come, instead of the one beside the input. */
  readonly state?: string;
}

/** The service takes up to 100 receipts at a time. */
const batchLines = 100;
const batchBytes = 4 * 1024 * 1024;
/** Waits are longer by up to this part, so that two submitters do not return at the same moment. */
const jitter = 0.25;

/**
 * Sends the receipts of a file of JSON lines to a running service, in their order. An interrupted run continues where it
 * ended; lines that are sent twice are duplicates.
 * @param path a file, or - for standard input
 * @returns the exit code: 0, 1 when lines were refused, 2 when it cannot run or continue
 */
export async function submit(
  path: string,
  options: SubmitOptions,
  { stdin, out, err }: Pick<Terminal, 'stdin' | 'out' | 'err'> = terminal,
  display: ProgressDisplay = showProgress(),
): Promise<number> {
  let progress = atStart;
  try {
    const remote = openRemote(options, (ms) => sleep(ms * (1 + Math.random() * jitter)));
    const input = await openInput(path, options, remote.url, stdin);
    const refusals = await openRefusals(input.refused, input.progress.refusedBytes);
    progress = input.progress;
    try {
      for await (const next of sentBatches(remote, input, refusals)) {
        progress = next;
        await input.save(progress);
        if (input.size !== null) display.report('KiB sent', kib(progress.offset), kib(input.size));
      }
    } finally {
      await refusals.close();
    }
    input.done();
    display.stop();
    const refused = refusedIn(progress.counts);
    const where = refused === 0 ? '' : `\nThe refused lines, with reasons, are in ${input.refused}.`;
    out(printable(summaryOf(progress.counts) + where));
    return refused === 0 ? 0 : 1;
  } catch (error) {
    display.stop();
    err(printableLine(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    if (progress !== atStart) out(printable(summaryOf(progress.counts)));
    if (progress !== atStart) out('Not all lines were sent. Run the same command again to continue.');
    return 2;
  }
}

interface Input {
  readonly chunks: AsyncIterable<Uint8Array | string>;
  /** Null for standard input, whose size is not known. */
  readonly size: number | null;
  readonly progress: Progress;
  /** The name of the file of refusals. */
  readonly refused: string;
  save(progress: Progress): Promise<void>;
  done(): void;
}

async function openInput(
  path: string,
  { state, refused }: SubmitOptions,
  url: string,
  stdin: Terminal['stdin'],
): Promise<Input> {
  if (path === '-') {
    if (state !== undefined) throw new Error('--state needs a file: standard input cannot be continued.');
    const save = async () => undefined;
    return {
      chunks: stdin,
      size: null,
      progress: atStart,
      refused: refused ?? 'refused.jsonl',
      save,
      done: () => undefined,
    };
  }
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is not a file.`);
  const statePath = state ?? `${path}.submit-state.json`;
  const progress = (await readProgress(statePath, path, url)) ?? atStart;
  return {
    chunks: createReadStream(path, { start: progress.offset, highWaterMark: 256 * 1024 }),
    size: found.size,
    progress,
    refused: refused ?? `${path}.refused.jsonl`,
    save: (next) => writeProgress(statePath, path, url, next),
    done: () => removeProgress(statePath),
  };
}

/** Sends batch after batch. After each one it yields how far it has come. */
async function* sentBatches(remote: Remote, { chunks, progress }: Input, refusals: RefusalsFile) {
  let { counts } = progress;
  for await (const lines of batchesOf(linesOf(chunks, progress))) {
    const read = lines.map(receiptLine).filter((line) => line !== null);
    const sent = await sendBatch(remote, read.filter(isReceipt));
    const refused = [...read.filter((line) => !isReceipt(line)), ...sent.refused].filter(isRefused);
    refused.sort((a, b) => a.number - b.number);
    const refusedBytes = await refusals.add(refused);
    for (const { code } of refused) counts = addCounts(counts, { recorded: 0, duplicates: 0, refused: { [code]: 1 } });
    counts = addCounts(counts, { recorded: sent.recorded, duplicates: sent.duplicates, refused: {} });
    const last = lines.at(-1);
    if (last) yield { line: last.number + 1, offset: last.end, refusedBytes, counts };
  }
}

function isRefused(line: ReceiptLine | RefusedLine): line is RefusedLine {
  return 'code' in line;
}

function isReceipt(line: ReceiptLine | RefusedLine): boolean {
  return !isRefused(line);
}

async function* batchesOf(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let bytes = 0;
  for await (const line of lines) {
    if (batch.length === batchLines || (batch.length > 0 && bytes + line.bytes.length > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(line);
    bytes += line.bytes.length;
  }
  if (batch.length > 0) yield batch;
}

function kib(bytes: number): number {
  return Math.ceil(bytes / 1024);
}
