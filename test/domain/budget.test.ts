import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTokens } from '../../src/adapters/tokens.js';
import { type Budget, fitBudget } from '../../src/base/budget.js';
import { packageRoot } from '../../src/base/package-root.js';

const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
const count = (text: string) => encode(text, asText).length;
const hit = (content: string) => ({ content, truncated: false });

describe('the budget of tokens', () => {
  let budget: Budget;
  beforeAll(async () => {
    budget = openTokens();
  });

  it.each([
    ['English', readFileSync(join(packageRoot, 'LICENSE'), 'utf8')],
    ['code', readFileSync(join(packageRoot, 'src/wiring/app.ts'), 'utf8')],
    ['Chinese', '北京市的天气今天很好，我们决定去公园散步。他说：“明天再来吧！”价格是1250元。'.repeat(50)],
    ['Arabic', 'اللغة العربية هي أكثر اللغات السامية تحدثا ونطقا. '.repeat(50)],
    ['emoji between words', "Yes 👍🏽 let's 🎉 go, isn't it ’s ".repeat(60)],
    ['special tokens', 'before <|endoftext|> after '.repeat(60)],
  ])('counts as the tokenizer does: %s', async (_, text) => {
    expect(await budget.fit(text, 1_000_000)).toEqual({ text, tokens: count(text) });
  });

  it('counts a token too many for each 256 characters without the end of a word, at most', async () => {
    const text = readFileSync(join(packageRoot, 'README.md'), 'utf8');
    const { tokens } = await budget.fit(text, 1_000_000);
    expect(tokens - count(text)).toBeGreaterThanOrEqual(0);
    expect(tokens - count(text)).toBeLessThanOrEqual(count(text) / 500);
  });

  it('cuts to the longest beginning that fits, never half a character', async () => {
    const words = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(' ', 'word', '天', '🇨🇭', '\n')), {
      maxLength: 400,
    });
    await fc.assert(
      fc.asyncProperty(words, fc.integer({ min: 1, max: 100 }), async (parts, tokens) => {
        const text = parts.join('').toWellFormed();
        const fitted = await budget.fit(text, tokens);
        expect(text.startsWith(fitted.text)).toBe(true);
        expect(fitted.text.isWellFormed()).toBe(true);
        expect(fitted.tokens).toBeLessThanOrEqual(tokens);
        expect(count(fitted.text)).toBeLessThanOrEqual(tokens + 5);
        if (fitted.text !== text) expect(count(fitted.text)).toBeGreaterThan(tokens - 10);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['euro signs', '€'],
    ['letters', 'a'],
    ['emoji', '😀'],
    ['spaces', ' '],
  ])('takes time for what fits, also for a MiB of equal %s', async (_, character) => {
    const text = character.repeat(350_000);
    const from = performance.now();
    const { hits, tokensUsed } = await fitBudget(budget, [hit(text), hit(text)], 4000);
    // 160 s before; bounded pieces take 0.1.
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(hits[0]?.content.length).toBeGreaterThan(1000);
    expect(tokensUsed).toBeLessThanOrEqual(4000);
  });

  it('ends the list with the first hit that does not fit', async () => {
    const { hits } = await fitBudget(budget, [hit('one two three'), hit('word '.repeat(300)), hit('four')], 200);
    expect(hits.map(({ content }) => content)).toEqual(['one two three']);
  });
});
