import { benchAgents } from './agents/agents.js';
import { benchBig } from './big.js';
import { benchChain } from './chain.js';
import { benchContention } from './contention.js';
import { benchCost } from './cost/cost.js';
import { benchWords } from './cutter.js';
import { benchEconomy } from './economy/economy.js';
import { benchFairness } from './fairness.js';
import { benchFeeds } from './feeds.js';
import { benchImport } from './import.js';
import { benchKafkaReceipts } from './kafka-receipts.js';
import { benchLanguages } from './languages.js';
import { benchLedger } from './ledger.js';
import { benchMcp } from './mcp.js';
import { benchMcpTokens } from './mcp-tokens.js';
import { benchPdf } from './pdf.js';
import { benchPeers } from './peers/peers.js';
import { benchProcesses } from './processes.js';
import { benchProofs } from './proofs.js';
import { benchReadAfterWrite } from './read-after-write.js';
import { benchRecall } from './recall.js';
import { benchRedaction } from './redaction.js';
import { benchRelay } from './relay.js';
import { benchReplay } from './replay.js';
import { benchSearch } from './search.js';
import { benchSize } from './size.js';
import { benchSoak } from './soak.js';
import { benchStall } from './stall.js';
import { benchStart } from './start.js';
import { benchStationary } from './stationary.js';
import { benchStreams } from './streams.js';
import { benchTabs } from './tabs.js';
import { benchTasks } from './tasks.js';
import { benchTree } from './tree.js';
import { benchUpdates } from './updates.js';
import { benchWrites } from './writes.js';

const [what, ...rest] = process.argv.slice(2);
const database = process.env.DATABASE_URL;
/** Benches run on the embedded database, or on the empty one of a server that DATABASE_URL names; recall on its own ones. */
const env: Record<string, string> = database === undefined ? {} : { DATABASE_URL: database };
const benches: Readonly<Record<string, () => Promise<void>>> = {
  recall: () => benchRecall(rest[0] ?? '', rest[1] === undefined ? undefined : Number(rest[1])),
  big: () => benchBig(rest, env),
  chain: () => benchChain(),
  contention: () => benchContention(rest, env),
  cost: () => benchCost(Number(rest[0] ?? 10_000), Number(rest[1] ?? 300), env),
  economy: () => benchEconomy(rest, env),
  fairness: () => benchFairness(rest[0] ?? '', env),
  feeds: () => benchFeeds(Number(rest[0] ?? 20_000), env),
  import: () => benchImport(Number(rest[0] ?? 10_000), env),
  'kafka-receipts': () => benchKafkaReceipts(rest, env),
  languages: () => benchLanguages(rest[0] === 'misses', env),
  ledger: () => benchLedger(Number(rest[0] ?? 2000), env),
  mcp: () => benchMcp(Number(rest[0] ?? 1000), env),
  'mcp-agents': () => benchAgents(rest, env),
  'mcp-tokens': () => benchMcpTokens(rest[0], env),
  tree: () => benchTree(),
  pdf: () => benchPdf(rest),
  peers: () => benchPeers((rest[0] ?? '1000,10000').split(',').map(Number), env),
  processes: () => benchProcesses(rest, env),
  proofs: () => benchProofs((rest[0] ?? '100,10000,1000000').split(',').map(Number), env),
  redaction: () => benchRedaction(),
  'read-after-write': () => benchReadAfterWrite(Number(rest[0] ?? 1000), env),
  relay: () => benchRelay(Number(rest[0] ?? 5000), env),
  replay: () => benchReplay(Number(rest[0] ?? 20_000), env),
  size: () => benchSize((rest[0] ?? '5000,20000').split(',').map(Number), rest[1] === 'words' ? 'words' : 'prose', env),
  soak: () => benchSoak(Number(rest[0] ?? 20), env),
  stall: () => benchStall(rest[0] ?? '', env),
  start: () => benchStart(env),
  stationary: () => benchStationary(Number(rest[0] ?? 200)),
  streams: () => benchStreams(rest, env),
  tabs: () => benchTabs(Number(rest[0] ?? 1), env),
  tasks: () => benchTasks(rest, env),
  updates: () => benchUpdates(rest[0] === 'misses', env),
  writes: () => benchWrites(Number(rest[0] ?? 10_000), env),
  words: () => benchWords(),
  search: () => benchSearch((rest[0] ?? '1000,10000,100000').split(',').map(Number), env),
};
const bench = benches[what ?? ''];
if (!bench) {
  console.error(`Usage: npm run bench -- (${Object.keys(benches).join(' | ')}) …`);
  process.exit(2);
}
await bench();
