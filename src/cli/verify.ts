import { createReadStream } from 'node:fs';
import { openBitcoinHeaders } from '../adapters/bitcoin-headers.js';
import { Unavailable } from '../adapters/bounded-fetch.js';
import { type EasiestTarget, mainChain } from '../verifier/bitcoin.js';
import { bundleLimits } from '../verifier/bundle.js';
import { readAddress } from '../verifier/ethereum/part.js';
import type { Headers } from '../verifier/ots/verify.js';
import { receiptRows } from '../verifier/receipt-rows.js';
import type { Claim, Report, State } from '../verifier/report.js';
import { type Trust, verifyBundle } from '../verifier/verify.js';
import { trustedBlocks } from './ethereum-option.js';
import { readKeys } from './keys-option.js';
import { printable, type Terminal, terminal } from './terminal.js';

export interface VerifyOptions {
  /** Verifier keys, or files with one key on each line. */
  readonly key: readonly string[];
  /** A file of block headers, or the address of a server that has them. */
  readonly headers?: string;
  /** A file of blocks of Ethereum, or the address of a node. */
  readonly ethereum?: string;
  /** The address of the contract that anchors must be of. */
  readonly contract?: string;
  readonly receiptHash?: string;
  readonly json?: boolean;
}

/**
 * Checks a proof bundle, from a file or `-`, without a store and without a network, except for `--headers`
 * and `--ethereum` with an address.
 * @returns the exit code: 0 when no claim failed, 1 when one did, 2 when the bundle or an option cannot be read
 */
export async function verify(
  path: string,
  options: VerifyOptions,
  { stdin, colour, out, err }: Terminal = terminal,
  easiest: EasiestTarget = mainChain,
): Promise<number> {
  try {
    const trust = await trustOf(options, easiest);
    const bundle = await readBounded(path === '-' ? stdin : createReadStream(path));
    const headers = options.headers === undefined ? undefined : await fetchHeaders(bundle, trust, options.headers, err);
    const blocks = options.ethereum === undefined ? {} : await trustedBlocks(options.ethereum, bundle, trust, err);
    const ethereum = { ...trust.ethereum, ...blocks };
    const report = verifyBundle(bundle, { ...trust, ethereum, ...(headers ? { headers } : {}) });
    out(options.json ? JSON.stringify(report, null, 2) : show(report, colour));
    return report.claims.some(({ state }) => state === 'failed') ? 1 : 0;
  } catch (error) {
    err(`counterfoil: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}

async function trustOf({ key, receiptHash, contract }: VerifyOptions, easiest: EasiestTarget): Promise<Trust> {
  if (receiptHash !== undefined && !/^[0-9a-f]{64}$/.test(receiptHash)) {
    throw new Error('--receipt-hash takes 64 lowercase hex digits');
  }
  const keys = (await Promise.all(key.map(readKeys))).flat();
  const ethereum = contract === undefined ? {} : { contract: readAddress(contract) };
  return { keys, easiest, ethereum, ...(receiptHash === undefined ? {} : { receiptHash }) };
}

/** Reads at most the allowed number of bytes and stops at the first byte more. */
async function readBounded(stream: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    length += bytes.length;
    if (length > bundleLimits.bytes) throw new Error(`a bundle of more than ${bundleLimits.bytes} bytes`);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The largest number of blocks. A hostile bundle may name thousands; the files of four calendars name at most four. */
const maxBlocks = 16;

/** Fetches the headers of the blocks that the bundle names, and reports each one that could not be fetched. */
async function fetchHeaders(bundle: Uint8Array, trust: Trust, where: string, err: Terminal['err']): Promise<Headers> {
  const heights = new Set<number>();
  verifyBundle(bundle, { ...trust, headers: (height) => void heights.add(height) });
  const source = await openBitcoinHeaders(where, trust.easiest ? { easiest: trust.easiest } : {});
  const found = new Map<number, Uint8Array>();
  for (const height of [...heights].slice(0, maxBlocks)) {
    try {
      const header = await source.header(height);
      if (header) found.set(height, header);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      err(`counterfoil: no header of block ${height} from ${where}: ${error.message}`);
    }
  }
  return (height) => found.get(height);
}

/** Green, red, yellow and grey, as terminal codes. */
const colours: Readonly<Record<State, number>> = { verified: 32, failed: 31, 'not checked': 33, absent: 90 };

function show({ receipt, claims }: Report, colour: boolean): string {
  const named = (state: State) => {
    const padded = state.padEnd(11);
    return colour ? `\u001b[${colours[state]}m${padded}\u001b[39m` : padded;
  };
  const title = receipt ? `${titleOf(receipt)}\n` : '';
  const lines = claims.map(({ name, state, text }) => `${name.padEnd(14)}  ${named(state)}  ${printable(text)}`);
  return [title, ...fieldLines(receipt), ...lines, '', closing(claims)].join('\n');
}

/** On one line: an id with a line break in it must not look like a claim. */
function titleOf({ receipt_id, kind, recorded_at }: NonNullable<Report['receipt']>): string {
  return printable(`Receipt ${receipt_id}, ${kind}, recorded at ${recorded_at}`).replaceAll('\n', '\\u{a}');
}

/** The fields of the receipt, one value on each line, with an empty line after them. */
function fieldLines(receipt: Report['receipt']): string[] {
  const rows = receipt ? receiptRows(receipt) : [];
  if (rows === null)
    return [`The fields of this ${receipt?.task === null ? 'task receipt' : receipt?.kind} cannot be read.`, ''];
  const lines = rows.flatMap(({ name, values }) =>
    values.map((value, at) => `${(at === 0 ? name : '').padEnd(16)}  ${value}`),
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

const ways: Readonly<Partial<Record<Claim['name'], string>>> = {
  checkpoint: "give the log's key with --key",
  opentimestamps: 'give block headers with --headers, or wait until the calendars have answered',
  ethereum: 'give blocks that you trust, or a node, with --ethereum',
};

function closing(claims: readonly Claim[]): string {
  const failed = claims.filter(({ state }) => state === 'failed');
  if (failed.length > 0) return `Failed: ${failed.map(({ name }) => name).join(', ')}. Do not rely on this bundle.`;
  const open = claims.filter(({ state }) => state === 'not checked');
  if (open.length === 0) return 'Everything that the bundle claims was checked.';
  return `Not checked: ${open.map(({ name }) => `${name} (${ways[name] ?? 'see above'})`).join(', ')}.`;
}
