import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { openHeaderSource, Unbelievable } from '../adapters/bitcoin-headers.js';
import { Unavailable } from '../adapters/bounded-fetch.js';
import { type EasiestTarget, mainChain } from '../verifier/bitcoin.js';
import { bundleLimits, readBundle } from '../verifier/bundle.js';
import { readAddress } from '../verifier/ethereum/part.js';
import type { Headers } from '../verifier/ots/verify.js';
import { type Claim, type ClaimName, claimNames, type Report } from '../verifier/report.js';
import { attempt } from '../verifier/unreadable.js';
import { type Trust, verifyBundle } from '../verifier/verify.js';
import { type Policy, readPolicy } from '../verifier/witnesses/policy.js';
import { readRange } from './entries-file.js';
import { trustedBlocks } from './ethereum-option.js';
import { readKeys } from './keys-option.js';
import { shownReport } from './shown-report.js';
import { printableJson, printableLine, type Terminal, terminal } from './terminal.js';

export interface VerifyOptions {
  /** Verifier keys, or files with one key on each line. */
  readonly key: readonly string[];
  /** A file of block headers, or the address of a server that has them. */
  readonly headers?: string;
  /** A file of blocks of Ethereum, or the address of a node. */
  readonly ethereum?: string;
  /** The address of the contract that anchors must be of. */
  readonly contract?: string;
  /** A file with a policy of witnesses. */
  readonly witnesses?: string;
  /** How many of the witnesses in the file must have signed, where the file does not say it. */
  readonly quorum?: string;
  readonly receiptHash?: string;
  /** A file of all entries of the workspace up to the head of the bundle. */
  readonly entries?: string;
  /** The names of claims that must be verified. */
  readonly require?: readonly string[];
  readonly json?: boolean;
}

/**
 * Checks a proof bundle, from a file or `-`, without a store and without a network, except for `--headers`
 * and `--ethereum` with an address.
 * @returns the exit code: 0 when no claim failed, 1 when one did, 2 when the bundle or an option cannot be read, 3 when none
 * failed and a required one is not verified
 */
export async function verify(
  path: string,
  options: VerifyOptions,
  { stdin, colour, out, err }: Terminal = terminal,
  easiest: EasiestTarget = mainChain,
): Promise<number> {
  try {
    const required = requiredClaims(options);
    const trust = await trustOf(options, easiest);
    const bundle = await bundleFrom(path, stdin);
    const headers = options.headers === undefined ? undefined : await fetchHeaders(bundle, trust, options.headers, err);
    const blocks = options.ethereum === undefined ? {} : await trustedBlocks(options.ethereum, bundle, trust, err);
    const ethereum = { ...trust.ethereum, ...blocks };
    const entries = options.entries === undefined ? {} : { entries: await readRange(options.entries) };
    const report = verifyBundle(bundle, { ...trust, ethereum, ...entries, ...(headers ? { headers } : {}) });
    out(options.json ? printableJson(report) : shownReport(report, colour));
    const code = exitCode(report, required);
    if (code === 3) err(`counterfoil: required and not verified: ${unverified(report, required).join(', ')}`);
    return code;
  } catch (error) {
    err(printableLine(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    return 2;
  }
}

function exitCode(report: Report, required: readonly ClaimName[]): number {
  if (report.claims.some(({ state }) => state === 'failed')) return 1;
  return unverified(report, required).length > 0 ? 3 : 0;
}

function unverified({ claims }: Report, required: readonly ClaimName[]): string[] {
  const stateOf = (name: ClaimName): Claim['state'] => claims.find((claim) => claim.name === name)?.state ?? 'absent';
  return required.filter((name) => stateOf(name) !== 'verified').map((name) => `${name} (${stateOf(name)})`);
}

/** @throws Error for a name that no claim has, because a script that asks for it would never be warned */
function requiredClaims({ require: asked, witnesses, entries }: VerifyOptions): ClaimName[] {
  const names = (asked ?? []).flatMap((list) => list.split(',')).map((name) => name.trim());
  if (names.includes('witnesses') && witnesses === undefined) {
    throw new Error('--require witnesses needs --witnesses with a policy');
  }
  if (names.includes('range') && entries === undefined) {
    throw new Error('--require range needs --entries with a file of entries');
  }
  return names.map((name) => {
    const known = claimNames.find((one) => one === name);
    if (!known) throw new Error(`--require takes names of claims (${claimNames.join(', ')}), and not "${name}"`);
    return known;
  });
}

async function trustOf(options: VerifyOptions, easiest: EasiestTarget): Promise<Trust> {
  const { key, receiptHash, contract } = options;
  if (receiptHash !== undefined && !/^[0-9a-f]{64}$/.test(receiptHash)) {
    throw new Error('--receipt-hash takes 64 lowercase hex digits');
  }
  const keys = (await Promise.all(key.map(readKeys))).flat();
  const ethereum = contract === undefined ? {} : { contract: readAddress(contract) };
  const witnesses = await policyOf(options);
  return {
    keys,
    easiest,
    ethereum,
    ...(witnesses ? { witnesses } : {}),
    ...(receiptHash === undefined ? {} : { receiptHash }),
  };
}

async function policyOf({ witnesses, quorum }: VerifyOptions): Promise<Policy | null> {
  if (witnesses === undefined) {
    if (quorum === undefined) return null;
    throw new Error('--quorum needs --witnesses with the keys of witnesses');
  }
  if (quorum !== undefined && !/^[1-9][0-9]{0,2}$/.test(quorum)) {
    throw new Error('--quorum takes a number of witnesses from 1 on');
  }
  return readPolicy(await readFile(witnesses, 'utf8'), quorum === undefined ? null : Number(quorum));
}

/** The bytes of a file that has a proof bundle. @throws Error with a sentence about a file that has none */
async function bundleFrom(path: string, stdin: Terminal['stdin']): Promise<Uint8Array> {
  const what = path === '-' ? 'The standard input' : path;
  const bundle = await readBounded(path === '-' ? stdin : createReadStream(path)).catch((error) => {
    throw new Error(notReadable(path, error));
  });
  const read = attempt(() => readBundle(bundle));
  if (typeof read !== 'string') return bundle;
  throw new Error(`${what} is no proof bundle: ${read}. Save one with GET /v1/receipts/{receipt_id}/proof.`);
}

/** A sentence about a file that cannot be read. */
function notReadable(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `There is no file ${path}.`;
  if (code === 'EISDIR') return `${path} is a directory and not a file with a proof bundle.`;
  if (code === 'EACCES') return `The file ${path} cannot be read: this user has no right to read it.`;
  return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
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

/**
 * Gets the headers of the blocks that the bundle names from the source of `--headers`. Whether a header can be believed is
 * decided by the check, which fails where it cannot. A header that could not be had is reported.
 */
async function fetchHeaders(bundle: Uint8Array, trust: Trust, where: string, err: Terminal['err']): Promise<Headers> {
  const heights = new Set<number>();
  verifyBundle(bundle, { ...trust, headers: (height) => void heights.add(height) });
  const find = await openHeaderSource(where);
  const found = new Map<number, ReturnType<Headers>>();
  for (const height of [...heights].slice(0, maxBlocks)) {
    try {
      found.set(height, await find(height));
    } catch (error) {
      if (error instanceof Unbelievable) found.set(height, { fault: error.message });
      else if (!(error instanceof Unavailable)) throw error;
      else err(printableLine(`counterfoil: no header of block ${height} from ${shownSource(where)}: ${error.message}`));
    }
  }
  return (height) => found.get(height);
}

/** Only the host of an address: it may have a password in it. */
function shownSource(where: string): string {
  return /^https?:\/\//.test(where) && URL.canParse(where) ? new URL(where).host : where;
}
