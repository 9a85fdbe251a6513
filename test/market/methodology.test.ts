import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { exampleFeeds, type Json } from '../../ops/build/docs/methodology/example.js';
import { valueAt } from '../../ops/build/docs/methodology/tables.js';
import { packageRoot } from '../../src/base/package-root.js';
import { type FeedName, feedNames } from '../../src/domain/market/feeds/all.js';
import { readPage } from '../docs/documents.js';

const page = readPage('docs/methodology.md');

/** The parts of the description of the API that lead to the values of a feed. */
const node = z.object({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
});

const description = z
  .object({
    paths: z.record(z.string(), z.unknown()),
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(parse(readFileSync(join(packageRoot, 'contracts/openapi.yaml'), 'utf8')));

const answered = z.object({
  get: z.object({
    responses: z.object({
      200: z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }),
    }),
  }),
});

function pathsOf(schema: unknown, path = ''): string[] {
  const { $ref, properties, items, anyOf } = node.parse(schema);
  if ($ref !== undefined)
    return pathsOf(description.components.schemas[$ref.replace('#/components/schemas/', '')], path);
  if (properties) {
    return Object.entries(properties).flatMap(([name, one]) => pathsOf(one, path === '' ? name : `${path}.${name}`));
  }
  if (items !== undefined) return pathsOf(items, `${path}[]`);
  const parts = (anyOf ?? []).filter((one) => node.parse(one).type !== 'null');
  return parts.length === 0 ? [path] : parts.flatMap((one) => pathsOf(one, path));
}

function pathsOnPage(name: FeedName): string[] {
  const [, section = ''] = page.split(`\n### Figures of /v1/${name}\n`);
  const [table = ''] = section.split('\n### ');
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path);
}

describe('the methodology', () => {
  // @covers METHODOLOGY-PATHS
  it.each(feedNames)('has a row for every value of %s in the description of the API, and no other', (name) => {
    const { get } = answered.parse(description.paths[`/v1/${name}`]);
    const described = pathsOf(get.responses[200].content['application/json'].schema);
    expect(described.length).toBeGreaterThan(15);
    expect(pathsOnPage(name)).toEqual(described);
  });

  // @covers METHODOLOGY-ROWS
  it('says of every value its formula, unit, window, null case and source', () => {
    const rows = [...page.matchAll(/^\| `[^`]+` \|(.*)\|$/gm)].map(([, cells = '']) => cells.split(/(?<!\\)\|/));
    const ofFigures = rows.filter((cells) => cells.length === 6);
    expect(ofFigures.length).toBeGreaterThan(300);
    expect(ofFigures.filter((cells) => cells.some((cell) => cell.trim() === ''))).toEqual([]);
  });

  describe('has a worked example', () => {
    const results = [...page.matchAll(/^\| (\S+) \| `([^`]+)` \| .* \| (\S+) \|$/gm)];
    let feeds: ReadonlyMap<string, Json>;
    beforeAll(async () => {
      feeds = await exampleFeeds(page);
    });

    // @covers METHODOLOGY-EXAMPLE
    it.each(
      results.map(([, feed = '', path = '', result = '']) => ({ feed, path, result })),
    )('$feed $path = $result', ({ feed, path, result }) => {
      expect(String(valueAt(feeds.get(feed), path))).toBe(result);
    });

    it('has enough results', () => expect(results.length).toBeGreaterThan(15));
  });
});
