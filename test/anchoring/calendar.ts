import { createServer, type ServerResponse } from 'node:http';
import type { Attestation } from '../../src/verifier/ots/attestation.js';
import { apply, type Operation } from '../../src/verifier/ots/operation.js';
import { path } from '../../src/verifier/ots/timestamp.js';
import { writeTimestamp } from '../../src/verifier/ots/write.js';
import { type Chain, dataTransaction, doubleSha256, sha256 } from './bitcoin.js';
import { bodyOf, listen } from './http.js';

/** Everything that a calendar does with requests; `forgetful` takes digests and does not keep them. */
export type Behaviour = 'well' | 'down' | 'failing' | 'garbage' | 'slow' | 'huge' | 'redirecting' | 'forgetful';

export interface CalendarServer {
  readonly url: string;
  behave(how: Behaviour): void;
  /** Sends one transaction that commits to everything submitted since the last one. */
  broadcast(): void;
  /** Paths of all requests so far, with their methods. */
  readonly requests: readonly string[];
  /** Everything that was submitted and answered, in lowercase hex. */
  readonly submitted: readonly string[];
  close(): Promise<void>;
}

/** A transaction of the calendar: what it commits to, and how each commitment leads to the hash in it. */
interface Batch {
  readonly transaction: Uint8Array;
  readonly paths: ReadonlyMap<string, readonly Operation[]>;
}

const hash: Operation = { name: 'sha256' };
const confirmations = 6;
const digestLimit = 64;

/** A calendar that does what https://github.com/opentimestamps/opentimestamps-server does, over a simulated chain. */
export async function startCalendar(chain: Chain): Promise<CalendarServer> {
  let behaviour: Behaviour = 'well';
  let waiting: Uint8Array[] = [];
  const batches: Batch[] = [];
  const requests: string[] = [];
  const submitted: string[] = [];

  function submit(digest: Uint8Array): Uint8Array {
    submitted.push(hex(digest));
    const steps = submissionSteps(digest, `${server.url} ${requests.length}`);
    const commitment = steps.reduce((message, step) => apply(step, message), digest);
    if (behaviour !== 'forgetful') waiting.push(commitment);
    return attested(digest, steps, { kind: 'pending', uri: server.url });
  }

  function broadcast(): void {
    const leaves = waiting.map((commitment) => sha256(commitment));
    const { tip, paths } = aggregate(leaves);
    if (!tip) return;
    const entries = waiting.map((commitment, at) => [hex(commitment), [hash, ...(paths[at] ?? [])]] as const);
    const transaction = dataTransaction(tip);
    batches.push({ transaction, paths: new Map(entries) });
    chain.send(transaction);
    waiting = [];
  }

  /** Its status and text are those of the real server. */
  function lookUp(commitment: Uint8Array): readonly [number, Uint8Array | string] {
    const batch = batches.find(({ paths }) => paths.has(hex(commitment)));
    if (!batch) {
      const known = waiting.some((one) => hex(one) === hex(commitment));
      return [404, known ? 'Pending confirmation in Bitcoin blockchain' : 'Not found'];
    }
    const { transaction, paths } = batch;
    const mined = chain.find(transaction);
    if (!mined) return [404, 'Pending confirmation in Bitcoin blockchain'];
    if (chain.height() - mined.height + 1 < confirmations) {
      const id = hex(doubleSha256(transaction).reverse());
      return [404, `Timestamped by transaction ${id}; waiting for ${confirmations - 1} confirmations`];
    }
    const steps = [...(paths.get(hex(commitment)) ?? []), ...transactionSteps(transaction), ...mined.path];
    return [200, attested(commitment, steps, { kind: 'bitcoin', height: mined.height })];
  }

  const server = await listen(
    createServer(async (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const body = await bodyOf(request);
      if (misbehave(behaviour, response)) return;
      const [, commitment] = /^\/timestamp\/((?:[0-9a-f]{2})*)$/.exec(request.url ?? '') ?? [];
      if (request.method === 'POST' && request.url === '/digest') {
        if (body.length > digestLimit) answer(response, 400, 'digest too long');
        else answer(response, 200, submit(body));
      } else if (request.method === 'GET' && commitment !== undefined) {
        answer(response, ...lookUp(new Uint8Array(Buffer.from(commitment, 'hex'))));
      } else answer(response, 404, 'not found');
    }),
  );

  return {
    ...server,
    requests,
    submitted,
    broadcast,
    behave: (how) => {
      behaviour = how;
    },
  };
}

/** The aggregator's nonce and neighbour, then the time before and the MAC behind it, as in `otsserver/calendar.py`. */
function submissionSteps(digest: Uint8Array, serial: string): Operation[] {
  const nonce: Operation = { name: 'append', argument: sha256(Buffer.from(`nonce ${serial}`)).slice(0, 16) };
  const mine = apply(hash, apply(nonce, digest));
  const { paths } = aggregate([sha256(Buffer.from(`neighbour ${serial}`)), mine]);
  const time = Buffer.alloc(4);
  time.writeUInt32BE(1_750_000_000);
  return [
    nonce,
    hash,
    ...(paths[1] ?? []),
    { name: 'prepend', argument: new Uint8Array(time) },
    { name: 'append', argument: sha256(digest).slice(0, 8) },
  ];
}

/** From the hash in a transaction to the transaction's id. */
function transactionSteps(transaction: Uint8Array): Operation[] {
  const at = transaction.length - 4 - 32;
  return [
    { name: 'prepend', argument: transaction.slice(0, at) },
    { name: 'append', argument: transaction.slice(-4) },
    hash,
    hash,
  ];
}

/** A Merkle tree in which an odd last hash goes up as it is (`make_merkle_tree`): its root, and each leaf's way there. */
function aggregate(leaves: readonly Uint8Array[]): { tip: Uint8Array | undefined; paths: readonly Operation[][] } {
  if (leaves.length <= 1) return { tip: leaves[0], paths: leaves.map(() => []) };
  const above = Array.from({ length: Math.ceil(leaves.length / 2) }, (_, at) => {
    const [left, right] = leaves.slice(2 * at, 2 * at + 2);
    return right ? sha256(Buffer.concat([left ?? right, right])) : (left ?? new Uint8Array());
  });
  const { tip, paths } = aggregate(above);
  const stepsOf = (at: number): Operation[] => {
    const sibling = leaves[at ^ 1];
    return sibling ? [{ name: at % 2 === 0 ? 'append' : 'prepend', argument: sibling }, hash] : [];
  };
  return { tip, paths: leaves.map((_, at) => [...stepsOf(at), ...(paths[at >> 1] ?? [])]) };
}

function attested(message: Uint8Array, steps: readonly Operation[], attestation: Attestation): Uint8Array {
  return writeTimestamp(path(message, steps, (end) => ({ message: end, attestations: [attestation], branches: [] })));
}

/** @returns whether the request was dealt with */
function misbehave(behaviour: Behaviour, response: ServerResponse): boolean {
  if (behaviour === 'well' || behaviour === 'forgetful') return false;
  if (behaviour === 'down') response.destroy();
  if (behaviour === 'failing') answer(response, 502, 'Bad Gateway');
  if (behaviour === 'garbage') answer(response, 200, '<html>Welcome</html>');
  if (behaviour === 'redirecting') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  if (behaviour === 'huge') answer(response, 200, new Uint8Array(10_000_000));
  // One byte, and then nothing: a limit that ends with the first byte would wait forever.
  if (behaviour === 'slow') response.writeHead(200).write('\xf0');
  return true;
}

function answer(response: ServerResponse, status: number, body: Uint8Array | string): void {
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/octet-stream' });
  response.end(body);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
