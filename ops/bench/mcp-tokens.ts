import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openTokens } from '../../src/adapters/tokens.js';
import { table } from './machine.js';
import { basicMemoryTexts } from './tokens/basic-memory.js';
import { mem0Texts } from './tokens/mem0.js';
import { ownTexts } from './tokens/own.js';
import { referenceTexts } from './tokens/reference.js';
import type { Measured } from './tokens/texts.js';

/** By the name of their program in the directory that `ops/memory-servers.sh` makes. */
const others: Readonly<Record<string, (command: string) => Promise<Measured>>> = {
  reference: referenceTexts,
  'basic-memory': basicMemoryTexts,
  mem0: mem0Texts,
};

/**
 * The tokens (o200k) of what a model reads: the list of tools and the texts of results, of this server and of the other
 * servers of memories in the directory, if one is given. A cell with a dash is something that the server does not have.
 */
export async function benchMcpTokens(directory: string | undefined, env: Readonly<Record<string, string>>) {
  const measured = [await ownTexts(env)];
  for (const [name, measure] of Object.entries(others)) {
    const command = join(directory ?? '', name);
    if (directory !== undefined && existsSync(command)) measured.push(await measure(command));
  }
  const budget = await openTokens();
  const cell = async (text: string | undefined) =>
    text === undefined ? '—' : String((await budget.fit(text, Number.MAX_SAFE_INTEGER)).tokens);
  const names = [...new Set(measured.flatMap(({ texts }) => Object.keys(texts)))];
  const rows = names.map((row) => Promise.all([row, ...measured.map(({ texts }) => cell(texts[row]))]));
  console.log(table([['tokens of', ...measured.map(({ name }) => name)], ...(await Promise.all(rows))]));
  console.log('\nDo results name their source?');
  for (const { name, source } of measured) console.log(`- ${name}: ${source}`);
}
