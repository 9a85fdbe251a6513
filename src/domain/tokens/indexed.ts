import { eachToken } from './cut.js';
import type { Token } from './word.js';

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
  eachToken(text, (token, position, counts, isWhole) => {
    if (position - first > most.positions || (part.size >= most.tokens && position > part.last)) {
      parts.push(part.lists());
      part = new Part();
      first = position - 1;
    }
    part.add(token, position - first, counts ? (isWhole ? 'B' : 'A') : '');
    part.last = Math.max(part.last, position);
  });
  return [...parts, part.lists()];
}

const marked: Readonly<Record<Token['mark'], (text: string) => string>> = {
  none: (text) => text,
  form: (text) => `≈${text}`,
  beginning: (text) => `${text}…`,
};
const onlyAscii = /^[a-z]+$/;

/** The text of a token as it is stored, but for its stem. */
const textOf = ({ text, mark, stemmed }: Token): string => (stemmed ? text : marked[mark](text));

function kindOf({ text, mark, stemmed }: Token): TokenKind {
  if (!stemmed) return tokenKinds.asIs;
  const isAscii = onlyAscii.test(text);
  if (mark === 'form') return isAscii ? tokenKinds.asciiForm : tokenKinds.wordForm;
  return isAscii ? tokenKinds.ascii : tokenKinds.word;
}

/** The key of a token with what the database makes its lexeme of. */
export const keyOf = (token: Token): { readonly text: string; readonly kind: TokenKind } => ({
  text: textOf(token),
  kind: kindOf(token),
});

interface Found {
  readonly text: string;
  readonly kind: TokenKind;
  positions: string;
  count: number;
}

class Part {
  /** Those of each kind by their texts. A key of both would have to be made for each token. */
  readonly #byText: Map<string, Found>[] = [];
  readonly #tokens: Found[] = [];
  /** The position of the last token in the whole text. */
  last = 0;

  get size(): number {
    return this.#tokens.length;
  }

  add(token: Token, position: number, weight: 'A' | 'B' | ''): void {
    const [text, kind] = [textOf(token), kindOf(token)];
    const ofKind = this.#byText[kind] ?? new Map<string, Found>();
    this.#byText[kind] = ofKind;
    const known = ofKind.get(text);
    if (!known) {
      const found = { text, kind, positions: `${position}${weight}`, count: 1 };
      ofKind.set(text, found);
      this.#tokens.push(found);
    } else if (known.count < mostOfOne) {
      known.positions += `,${position}${weight}`;
      known.count += 1;
    }
  }

  lists(): IndexedPart {
    const tokens = this.#tokens;
    return {
      texts: tokens.map(({ text }) => text),
      kinds: tokens.map(({ kind }) => kind),
      positions: tokens.map(({ positions }) => positions),
    };
  }
}
