import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { makeTemplate } from '../../src/database/template.js';

/** A service runs as another user than the one that has built it. */
it('every user may read the cluster of the build, and none but its owner may write it', async () => {
  await makeTemplate();
  const dist = join(packageRoot, 'dist');
  const [name = ''] = readdirSync(dist).filter((one) => /^pgdata-[\d.]+$/.test(one));
  const all = readdirSync(join(dist, name), { recursive: true, withFileTypes: true });
  expect(all.length).toBeGreaterThan(900);
  const modes = all.map((one) => [one.isDirectory(), statSync(join(one.parentPath, one.name)).mode & 0o777]);
  expect([...new Set(modes.map(String))].sort()).toEqual([`false,${0o644}`, `true,${0o755}`]);
});
