import { type Placed, tokensOfText } from './cut.js';

/**
 * How the database makes a lexeme of a token: as it stands, or as the stem of a word, of which PostgreSQL knows two kinds. A form
 * keeps its mark before its stem.
 */
export const tokenKinds = { asIs: 0, ascii: 1, word: 2, asciiForm: 3, wordForm: 4 } as const;
export type TokenKind = (typeof tokenKinds)[keyof typeof tokenKinds];

/**
 * The distinct tokens of a part of a text: lists of equal length. `positions` are in the syntax of a tsvector, and say by a weight
 * what they are: `A` a word, `B` a whole; what the length of the memory does not count has none.
 */
export interface IndexedPart {
  readonly texts: readonly string[];
  readonly kinds: readonly TokenKind[];
  readonly positions: readonly string[];
}

/**
 * The limits of a part, because a tsvector has at most 16,383 positions and a MiB of lexemes, and the embedded database makes other
 * requests wait while it stores one.
 */
const most = { positions: 8000, tokens: 16_000 } as const;
/** More positions of one token are not stored: a tsvector has room for 255. */
const mostOfOne = 255;

/** The tokens of a text in parts, at least one. The time is linear in the length of the text. */
export function indexedParts(text: string): IndexedPart[] {
  const parts: IndexedPart[] = [];
  let part = new Part();
  let first = 0;
  for (const token of tokensOfText(text)) {
    if (token.position - first > most.positions || (part.size >= most.tokens && token.position > part.last)) {
      parts.push(part.lists());
      part = new Part();
      first = token.position - 1;
    }
    part.add(token, token.position - first);
  }
  return [...parts, part.lists()];
}

/** The key of a token with what the database makes its lexeme of. */
export function keyOf({ text, mark, stemmed }: Pick<Placed, 'text' | 'mark' | 'stemmed'>): {
  readonly text: string;
  readonly kind: TokenKind;
} {
  if (!stemmed)
    return { text: mark === 'form' ? `≈${text}` : mark === 'beginning' ? `${text}…` : text, kind: tokenKinds.asIs };
  const isAscii = /^[a-z]+$/.test(text);
  if (mark === 'form') return { text, kind: isAscii ? tokenKinds.asciiForm : tokenKinds.wordForm };
  return { text, kind: isAscii ? tokenKinds.ascii : tokenKinds.word };
}

interface Found {
  readonly text: string;
  readonly kind: TokenKind;
  readonly positions: string[];
}

class Part {
  /** Those of each kind by their texts. A key of both would have to be made for each token. */
  readonly #byText: Map<string, Found>[] = [];
  readonly #tokens: Found[] = [];
  last = 0;

  get size(): number {
    return this.#tokens.length;
  }

  add(token: Placed, position: number): void {
    this.last = Math.max(this.last, token.position);
    const { text, kind } = keyOf(token);
    const ofKind = this.#byText[kind] ?? new Map<string, Found>();
    this.#byText[kind] = ofKind;
    const known = ofKind.get(text);
    if (!known) {
      const found = { text, kind, positions: [`${position}${weightOf(token)}`] };
      ofKind.set(text, found);
      this.#tokens.push(found);
    } else if (known.positions.length < mostOfOne) known.positions.push(`${position}${weightOf(token)}`);
  }

  lists(): IndexedPart {
    const tokens = this.#tokens;
    return {
      texts: tokens.map(({ text }) => text),
      kinds: tokens.map(({ kind }) => kind),
      positions: tokens.map(({ positions }) => positions.join()),
    };
  }
}

const weightOf = ({ counts, isWhole }: Placed): string => (counts ? (isWhole ? 'B' : 'A') : '');
