import { describe, expect, it } from 'vitest';
import { type RankedWord, rank } from '../../../../src/domain/rank/rank.js';
import { bareWord, similarTo } from '../../../../src/domain/similar-words.js';
import { tokensOfText } from '../../../../src/domain/tokens/cut.js';
import { classesOf, type TokenClass } from '../../../../src/domain/tokens/query.js';
import type { Token } from '../../../../src/domain/tokens/word.js';

const keyOf = ({ mark, text }: Token): string => `${mark} ${text}`;

/** The tokens of a text as an index of a language without a stemmer has them, with how often it has each. */
function cut(text: string) {
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const token of tokensOfText(text)) {
    frequencies.set(keyOf(token), (frequencies.get(keyOf(token)) ?? 0) + 1);
    if (token.counts) length += 1;
  }
  return { length, frequencies };
}

/**
 * Searches by words among these texts, without a database: the cutter, the words of the query, and the ranking.
 * @param spelling whether words that no text has are taken for those that are spelt most like them
 */
export function collectionOf(
  texts: readonly string[],
  spelling: 'exact' | 'alike',
): (query: string) => { text: string; score: number }[] {
  const cuts = texts.map(cut);
  const candidates = cuts.map(({ length }, id) => ({
    id: String(id),
    length,
    asks: false,
    saysWhen: false,
    who: null,
    earlier: [],
    later: [],
  }));
  const frequencyOf = (token: Token, id: string) => cuts[Number(id)]?.frequencies.get(keyOf(token)) ?? 0;
  const wordOf = ({ share, tokens }: TokenClass): RankedWord => {
    const having = candidates.filter(({ id }) => tokens.some((token) => frequencyOf(token, id) > 0)).length;
    const idf = having === 0 ? 0 : Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    return {
      share,
      idf,
      tokens: tokens.map((token) => ({
        word: token.text,
        share: token.share,
        frequencies: new Map(
          candidates.map(({ id }) => [id, frequencyOf(token, id)] as const).filter(([, frequency]) => frequency > 0),
        ),
      })),
    };
  };
  const lengths = cuts.reduce((sum, { length }) => sum + length, 0);
  return (query) => {
    const words = classesOf(query).map((one) => wordOf(spelling === 'alike' ? withSimilar(one, cuts) : one));
    const vectors = { of: 'model', floor: null } as const;
    const question = {
      cosineOf: null,
      vectors,
      asksWhen: false,
      periodOf: () => null,
      named: null,
      meanLength: lengths / texts.length,
    };
    const known = words.filter(({ idf }) => idf > 0);
    return rank({ ...question, words: known }, candidates).map(({ id, score }) => ({
      text: texts[Number(id)] ?? '',
      score,
    }));
  };
}

/** A word that no text has is taken for those that are spelt most like it. */
function withSimilar(one: TokenClass, cuts: readonly ReturnType<typeof cut>[]): TokenClass {
  const [word] = one.tokens;
  if (!word?.stemmed || one.tokens.some((token) => cuts.some(({ frequencies }) => frequencies.has(keyOf(token))))) {
    return one;
  }
  const { shareOf } = similarTo(bareWord(word.text));
  const others = new Set(cuts.flatMap(({ frequencies }) => [...frequencies.keys()]));
  const similar = [...others]
    .filter((key) => /^none [\p{L}\p{M}]+$/u.test(key))
    .map((key) => key.slice('none '.length))
    .map((text) => ({ ...word, text, share: shareOf(bareWord(text)) }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, 4);
  return { ...one, tokens: similar };
}

/** A text, the queries whose first hit it is, and those that do not find it. */
export type Row = readonly [text: string, first: readonly string[], never: readonly string[]];

/** Tests a table: every text is a memory, and every query is asked among all of them. */
export function testTable(kind: string, rows: readonly Row[], spelling: 'exact' | 'alike' = 'exact'): void {
  const search = collectionOf(
    rows.map(([text]) => text),
    spelling,
  );
  describe(`the words of ${kind}`, () => {
    it.each(rows)('of %s', (text, first, never) => {
      for (const query of [text, ...first]) expect([query, search(query)[0]?.text]).toEqual([query, text]);
      const finding = never.filter((query) => search(query).some((hit) => hit.text === text));
      expect(finding).toEqual([]);
    });
  });
}
