import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { WitnessSetting } from '../../src/settings/peers.js';
import { type Checkpoint, parseCheckpoint } from '../../src/verifier/checkpoint.js';
import { verifyConsistency } from '../../src/verifier/merkle.js';
import { parseNote, type VerifierKey, verifierKey, verifyNote } from '../../src/verifier/note.js';
import { bodyOf, listen } from './http.js';

/** Everything that a witness does with requests: `forging` answers with a signature of another text. */
export type WitnessBehaviour = 'well' | 'down' | 'slow' | 'huge' | 'garbage' | 'forging' | 'sizeless';

export interface WitnessServer {
  readonly setting: WitnessSetting;
  behave(how: WitnessBehaviour): void;
  /** Of all requests so far, in order. */
  readonly statuses: readonly number[];
  /** The last checkpoint that was signed, which a test may put another one instead of. */
  last: Pick<Checkpoint, 'size' | 'root'> | null;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/** A witness that does what C2SP tlog-witness says. @param trusted the log's keys, as they are when it is asked */
export async function startWitness(name: string, trusted: () => Promise<readonly VerifierKey[]>) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const key = verifierKey(name, 'cosignature/v1', new Uint8Array(raw));
  const statuses: number[] = [];
  let behaviour: WitnessBehaviour = 'well';

  function cosignature(text: string): string {
    const time = Math.floor(Date.now() / 1000);
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(BigInt(time));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKey);
    const line = Buffer.concat([Buffer.from(key.id, 'hex'), stamp, signature]).toString('base64');
    return `— ${name} ${line}\n`;
  }

  async function answer(body: string): Promise<Reply> {
    const split = body.indexOf('\n\n');
    const [first = '', ...proof] = body.slice(0, split).split('\n');
    const note = parseNote(Buffer.from(body.slice(split + 2), 'utf8'));
    const [, digits] = /^old (0|[1-9][0-9]*)$/.exec(first) ?? [];
    const { size, root } = parseCheckpoint(note.text);
    if (typeof verifyNote(note, await trusted()) === 'string') return { status: 403, body: '' };
    if (digits === undefined || Number(digits) > size) return { status: 400, body: '' };
    const { last } = server;
    const conflict = { status: 409, type: 'text/x.tlog.size', body: `${last?.size ?? 0}\n` };
    if (Number(digits) !== (last?.size ?? 0)) return conflict;
    const hashes = proof.map((line) => new Uint8Array(Buffer.from(line, 'base64')));
    if (last?.size === size && Buffer.compare(last.root, root) !== 0) return conflict;
    const fault = last
      ? verifyConsistency({ from: last.size, fromRoot: last.root, to: size, toRoot: root, proof: hashes })
      : proof.length === 0
        ? null
        : 'a proof from nothing';
    if (fault !== null) return { status: 422, body: fault };
    server.last = { size, root };
    const other = '— someone.else/w9 AAAAAAAAAAAAAAAA\n';
    return { status: 200, body: other + cosignature(behaviour === 'forging' ? `${note.text}more\n` : note.text) };
  }

  const listening = await listen(
    createServer(async (request, response) => {
      const body = Buffer.from(await bodyOf(request)).toString('utf8');
      if (behaviour === 'down') return response.destroy();
      if (behaviour === 'slow') return response.writeHead(200).write('—');
      if (behaviour === 'huge') return response.end('— '.repeat(1_000_000));
      if (behaviour === 'garbage') return response.end('<html>\n\n— welcome\n');
      if (behaviour === 'sizeless') return response.writeHead(409, { 'content-type': 'text/plain' }).end('5\n');
      const known = request.method === 'POST' && request.url === '/prefix/add-checkpoint';
      const reply: Reply = known ? await answer(body) : { status: 404, body: '' };
      statuses.push(reply.status);
      return response.writeHead(reply.status, { 'content-type': reply.type ?? 'text/plain' }).end(reply.body);
    }),
  );
  const server: WitnessServer = {
    setting: { key, url: `${listening.url}/prefix/` },
    statuses,
    last: null,
    behave: (how) => {
      behaviour = how;
    },
    close: listening.close,
  };
  return server;
}
