import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** The reader of PDFs of a build: some builds return the text alone. */
const reader = z.object({
  pdfText: z.custom<(bytes: Uint8Array, enough: number) => Promise<unknown>>((one) => typeof one === 'function'),
});
const result = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]);

/**
 * Reads files with the reader in a compiled module, and prints a line of JSON for each: its text, or null where it was refused, and
 * milliseconds; then the largest memory of the process in MiB. A process of its own for each engine, because memory is measured.
 */
const [module = '', ...files] = process.argv.slice(2);
const { pdfText } = reader.parse(await import(pathToFileURL(module).href));
for (const file of files) {
  const bytes = readFileSync(file);
  const from = performance.now();
  const text = await pdfText(bytes, Number.POSITIVE_INFINITY).then(
    (read) => result.parse(read),
    () => null,
  );
  console.log(JSON.stringify({ text, ms: performance.now() - from }));
}
console.log(JSON.stringify({ memoryMb: process.resourceUsage().maxRSS / 1024 }));
