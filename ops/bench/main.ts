import { benchRecall } from './recall.js';

const [what, ...rest] = process.argv.slice(2);
const benches: Readonly<Record<string, () => Promise<void>>> = {
  recall: () => benchRecall(rest[0] ?? ''),
};
const bench = benches[what ?? ''];
if (!bench) {
  console.error(`Usage: npm run bench -- (${Object.keys(benches).join(' | ')}) …`);
  process.exit(2);
}
await bench();
