import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kernelFile, kernelText } from '../../ops/build/kernel/compile.js';

test('the compiled loop of the scan is that of its source', async () => {
  expect(readFileSync(kernelFile, 'utf8')).toBe(await kernelText());
});
