import { expect, it } from 'vitest';
import { references } from '../../ops/build/docs/references.js';
import { readConfig } from '../../src/settings/config.js';
import { readPage } from '../docs/documents.js';

it.each(Object.entries(references))('%s is as npm run docs writes it', async (path, write) => {
  expect(readPage(path)).toBe(await write());
});

it('a default of the settings page means the same when it is set', () => {
  const rows = [...readPage('docs/reference/settings.md').matchAll(/^\| `([A-Z_]+)` \|.*\| (\S.*?) \|$/gm)];
  const given = Object.fromEntries(
    rows.flatMap(([, name = '', shown = '']) => (/^`[^:]+`$/.test(shown) ? [[name, shown.slice(1, -1)]] : [])),
  );
  expect(Object.keys(given).length).toBeGreaterThan(8);
  expect(readConfig(given)).toEqual(readConfig({}));
});
