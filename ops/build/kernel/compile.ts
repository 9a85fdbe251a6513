import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openWabt from 'wabt';
import { packageRoot } from '../../../src/base/package-root.js';

const source = join(packageRoot, 'projections/search/scan.wat');
export const kernelFile = join(packageRoot, 'projections/search/scan-code.ts');

/** The text of projections/search/scan-code.ts: the module that scan.wat describes, in base64. */
export async function kernelText(): Promise<string> {
  const wabt = await openWabt();
  const parsed = wabt.parseWat(source, readFileSync(source, 'utf8'), { simd: true });
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  const lines =
    Buffer.from(buffer)
      .toString('base64')
      .match(/.{1,100}/g) ?? [];
  return `/** Compiled from scan.wat: npm run kernel. */
export const scanCode = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`;
}
