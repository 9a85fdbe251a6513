import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isJson } from '../../../../src/api/operation.js';
import { operations } from '../../../../src/api/operations.js';
import { packageRoot } from '../../../../src/base/package-root.js';
import { type FeedName, feedNames } from '../../../../src/domain/market/feeds/all.js';
import { exampleFeeds } from './example.js';
import { figureTable } from './tables.js';

export const methodologyFile = 'docs/methodology.md';

/** The first line of the part that is generated. The part before it is written by hand. */
const begin = '\n## Every figure\n';

const lead = `
This part is generated from the description of the feeds by \`npm run docs\`, and a test compares the two. \`tickers[]\` is each row of the list \`tickers\`. The last column is the value in the
[worked example](#a-worked-example), in the first row that has one.
`;

/** The page about the methodology: its hand-written part as it is, and a table of every value of each feed. */
export async function methodologyPage(): Promise<string> {
  const text = readFileSync(join(packageRoot, methodologyFile), 'utf8');
  const [written = ''] = text.split(begin);
  const examples = await exampleFeeds(written);
  const tables = feedNames.map((name) => {
    const example = examples.get(name) ?? null;
    return `### Figures of /v1/${name}\n\n${figureTable(shapeOf(name), example)}\n`;
  });
  return `${written}${begin}${lead}\n${tables.join('\n')}`;
}

function shapeOf(name: FeedName): z.ZodType {
  const answer = operations.find(({ method, path }) => method === 'GET' && path === `/v1/${name}`)?.answers[200];
  return answer && isJson(answer) ? answer : z.never();
}
