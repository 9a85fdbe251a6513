import type { Imported } from '../../src/commands/imports.js';
import { type Random, random } from '../market/random.js';
import { textsInEncodings } from './make/texts-encodings.js';
import { independentText, lenientText, marked } from './text-oracle.js';

/** A text of the corpus that was damaged, or for which another charset is declared. */
export interface Mutation {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The charset that is declared; '' for none. */
  readonly label: string;
  /** The charset that it was written in. */
  readonly charset: string;
}

/**
 * - right: the text that these bytes are in the charset that they were written in, as another decoder reads it, and nothing assumed.
 *   A flipped letter that is a letter again is the text of the file now.
 * - refused: nothing is stored.
 * - reported: `assumed` names a charset and the number of replaced characters, and the text is exactly the one that another decoder
 *   gives for that charset, with as many U+FFFD.
 * - believed: another charset was declared, all bytes are characters in it, and the text is the one of that charset, with no word of doubt.
 * - wrong: anything else. It is stored as right, and is not.
 */
export const verdicts = ['right', 'refused', 'reported', 'believed', 'wrong'] as const;
export type Verdict = (typeof verdicts)[number];

const encodings = textsInEncodings().filter(({ path }) => path.endsWith('/declared.txt'));
const labelOf = (contentType: string) => contentType.replace(/^.*charset=/, '');
const labels = [...encodings.map(({ contentType }) => labelOf(contentType)), 'iso-8859-1', 'gbk', 'x-none'];

/** One to three bytes with another bit or another value. */
function flipped(bytes: Uint8Array, chance: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let count = 1 + chance.whole(3); count > 0; count -= 1) {
    const at = chance.whole(copy.length);
    copy[at] = chance.chance(0.5) ? (copy[at] ?? 0) ^ (1 << chance.whole(8)) : chance.whole(256);
  }
  return copy;
}

/** Of one text: bytes flipped, its end cut off, another charset declared, or two of these. */
function mutated(at: number, chance: Random): Mutation {
  const { path, bytes: whole, contentType } = chance.pick(encodings);
  const charset = path.split('/', 1).join('').replace('-with-mark', '');
  const kind = chance.pick(['flip', 'cut', 'label', 'flip+label', 'cut+label'] as const);
  const cut = kind.startsWith('cut') ? whole.subarray(0, 1 + chance.whole(whole.length - 1)) : whole;
  const bytes = kind.startsWith('flip') ? flipped(whole, chance) : cut;
  // One of two keeps what it declares, or declares nothing.
  const own = chance.chance(0.5) ? labelOf(contentType) : '';
  const label = kind.endsWith('label') ? chance.pick(labels) : own;
  return { name: `${at}: ${path} ${kind} as ${label === '' ? 'nothing' : label}`, bytes, label, charset };
}

export function mutations(count: number, seed: number): Mutation[] {
  const chance = random(seed);
  return Array.from({ length: count }, (_, at) => mutated(at, chance));
}

type Read = { readonly text: string; readonly assumed?: Imported['assumed'] } | { readonly refused: string };

export function verdictOf({ bytes, label, charset }: Mutation, read: Read): Verdict {
  if ('refused' in read) return 'refused';
  const mark = marked(bytes);
  const rest = mark?.rest ?? bytes;
  if (read.assumed !== undefined) return isTrue(rest, read, mark?.charset) ? 'reported' : 'wrong';
  if (read.text === independentText(rest, mark?.charset ?? charset)) return 'right';
  return label !== '' && read.text === independentText(rest, label) ? 'believed' : 'wrong';
}

/** Whether the text is the one that its report describes. */
function isTrue(rest: Uint8Array, read: Exclude<Read, { refused: string }>, mark: string | undefined): boolean {
  const { charset = mark ?? 'utf-8', replaced } = read.assumed ?? {};
  if (replaced === undefined) return read.text === independentText(rest, charset);
  const lenient = lenientText(rest);
  return charset === 'utf-8' && read.text === lenient.text && replaced === lenient.replaced;
}
