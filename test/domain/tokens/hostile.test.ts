import { describe, expect, it } from 'vitest';
import { tokensOfText } from '../../../src/domain/tokens/cut.js';

const characters = 65_536;
const repeated = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const count = (text: string): number => [...tokensOfText(text)].length;

describe('the number of tokens of a long text', () => {
  it.each([
    ['dotted letters', 'a.b.c.', 0.51],
    ['one run', 'a', 0.02],
    ['slashes', '/', 0],
    ['letters that are written in other ways', 'øå-', 1.4],
    ['such letters, each a word', 'ø ', 1.5],
    ['codes', 'a1b2c3-', 0.5],
    ['groups of digits', '1.22.333.', 0.5],
    ['camel case', 'fooBar', 0.2],
    ['prose', 'The harbour opens at six, and the boats leave before noon. ', 0.25],
    ['source code', 'const portOf = (url: string): number => new URL(url).port;\n', 0.5],
  ])('grows with its length: %s', (_, text, perCharacter) => {
    const [half, whole] = [count(repeated(text, characters / 2)), count(repeated(text, characters))];
    expect(whole).toBeLessThanOrEqual(perCharacter * characters);
    expect(Math.abs(whole - 2 * half)).toBeLessThanOrEqual(64);
  });
});
