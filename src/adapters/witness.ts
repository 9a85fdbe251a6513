import type { WitnessSetting } from '../settings/peers.js';
import { type Shown, type Witness, WitnessObjects } from '../tlog/anchoring/sources.js';
import { formatNote } from '../tlog/note-writer.js';
import { toBase64 } from '../verifier/bytes.js';
import { type Note, type NoteSignature, parseNote, type VerifierKey, verifyNote } from '../verifier/note.js';
import { Unreadable } from '../verifier/unreadable.js';
import { type BoundedAnswer, type BoundedFetch, boundedFetch, Unavailable } from './bounded-fetch.js';

/** The largest answer. A line of cosignature/v1 has some 150 bytes. */
const maxBytes = 16_384;
const sizeType = 'text/x.tlog.size';

/** A client of a witness (C2SP tlog-witness, `add-checkpoint`). */
export function witnessClient(
  { key, url }: WitnessSetting,
  timeoutMs = 10_000,
  ask: BoundedFetch = boundedFetch,
): Witness {
  const address = `${url.replace(/\/+$/, '')}/add-checkpoint`;
  /** The size that the witness has signed, as far as this process knows. The witness reports another one. */
  let signed = 0;

  async function send({ note, proofFrom }: Shown): Promise<BoundedAnswer> {
    const proof = signed === 0 ? [] : await proofFrom(signed);
    const head = [`old ${signed}`, ...proof.map(toBase64), '', ''].join('\n');
    const body = Buffer.concat([Buffer.from(head), formatNote(note)]);
    return ask(address, {
      method: 'POST',
      body,
      timeoutMs,
      maxBytes,
      headers: { 'user-agent': 'counterfoil' },
    });
  }

  async function resend(shown: Shown, conflict: BoundedAnswer): Promise<BoundedAnswer> {
    signed = conflictingSize(conflict, key);
    const theirs = `${key.name} has signed ${signed} leaves`;
    if (signed > shown.size) throw new WitnessObjects(`${theirs}, and this log has ${shown.size}`, signed);
    const answer = await send(shown);
    // The witness itself reported this size, so it disagrees about the tree.
    if (answer.status !== 409) return answer;
    const now = conflictingSize(answer, key);
    if (now !== signed) throw new Unavailable(`${theirs}, and ${now} a moment later`);
    throw new WitnessObjects(`${theirs}, and not those of this log`, signed);
  }

  return {
    key,
    async cosign(shown) {
      signed = Math.min(signed, shown.size);
      const first = await send(shown);
      const answer = first.status === 409 ? await resend(shown, first) : first;
      if (answer.status === 422 && signed > 0) {
        throw new WitnessObjects(`${key.name} has signed ${signed} leaves, and not those of this log`, signed);
      }
      if (answer.status !== 200) throw new Unavailable(`${key.name} answered ${answer.status}`);
      const cosignature = cosignatureIn(answer, shown.note, key);
      signed = shown.size;
      return cosignature;
    },
  };
}

/** The size that the witness reports. @throws Unavailable when it reports none */
function conflictingSize({ type, body }: BoundedAnswer, { name }: VerifierKey): number {
  const [, digits] = /^(0|[1-9][0-9]{0,14})\n$/.exec(Buffer.from(body).toString('latin1')) ?? [];
  if (type !== sizeType || digits === undefined) throw new Unavailable(`${name} answered 409 without a size`);
  return Number(digits);
}

/** @throws Unavailable when the witness's key has not signed this text */
function cosignatureIn({ body }: BoundedAnswer, { text }: Note, key: VerifierKey): NoteSignature {
  const { signatures } = readLines(body, text, key);
  const line = signatures.find((one) => typeof verifyNote({ text, signatures: [one] }, [key]) !== 'string');
  if (!line) throw new Unavailable(`${key.name} has not signed what was shown`);
  return line;
}

function readLines(body: Uint8Array, text: string, { name }: VerifierKey): Note {
  try {
    const note = parseNote(Buffer.concat([Buffer.from(`${text}\n`, 'utf8'), body]));
    // A blank line in the answer would move a part of it into the text.
    if (note.text === text) return note;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  throw new Unavailable(`${name} answered with something other than signatures`);
}
