/**
 * How often the tests repeat what chance decides: kills, restarts, changed bundles, random requests. A short run shows that
 * nothing is broken, and CI makes it; a long one (`npm run test:long`) gives the figures. A start of the service takes three to four seconds
 * of processor time, so a short run starts it no oftener than is needed for each kind of fault. The name of a count as an environment
 * variable sets that count alone: KILLS=1000.
 */
const counts = {
  /** kill -9 under load, on each store. */
  KILLS: { short: 2, long: 100 },
  /** kill -9 of each process of an installation by roles and of its server, and as many stops, pauses and slow times. */
  KILLS_BY_ROLE: { short: 1, long: 20 },
  /** kill -9 under load with the ledger on EventStoreDB; every fourth time its server too. */
  LEDGER_KILLS: { short: 2, long: 20 },
  /** Writes that are acknowledged before each of them, at least. */
  LEDGER_WRITES: { short: 25, long: 200 },
  /** kill -9 of migrate-ledger on the way to EventStoreDB, and as often on the way back. */
  MIGRATION_KILLS: { short: 1, long: 20 },
  /** kill -9 while short memories are indexed in the commit of their writes. */
  INDEX_KILLS: { short: 2, long: 200 },
  /** kill -9 in the middle of a batch of actions. */
  BATCH_KILLS: { short: 1, long: 20 },
  /** kill -9 in the middle of a delete by a filter. */
  SELECTION_KILLS: { short: 1, long: 20 },
  /** kill -9 of the service and of the Kafka broker, while task receipts are taken. */
  RECEIPT_KILLS: { short: 1, long: 20 },
  /** kill -9 of the process that sends entries to Kafka. */
  RELAY_KILLS: { short: 1, long: 20 },
  /** kill -9 of Elasticsearch while memories are written and deleted. */
  SEARCH_KILLS: { short: 1, long: 20 },
  /** kill -9, pauses and slow times of the broker of the relay, and restarts of the relay: each of them. */
  BROKER_KILLS: { short: 1, long: 20 },
  /** Calls of a node, and of the database, at which a process that anchors on Ethereum ends. */
  ANCHOR_FAULTS: { short: 8, long: 200 },
  /** Checkpoints that are anchored through a node that lies, lags and limits requests by chance. */
  UNTRUE_ANSWERS: { short: 4, long: 100 },
  /** Reorganisations of 20 blocks, each over several final anchors. */
  DEEP_REORGS: { short: 1, long: 20 },
  /** kill -9 of a service that anchors on Ethereum. */
  ANCHOR_KILLS: { short: 1, long: 20 },
  /** Calls of a node at which a process that gives feedback about agents ends, before or after the call. */
  FEEDBACK_FAULTS: { short: 6, long: 80 },
  /** Blocks of Ethereum with an anchor that are replaced, with depths of 1 to 6. */
  REORGS: { short: 6, long: 50 },
  /** Restarts and silences of a PostgreSQL server that belongs to the test. */
  RESTARTS: { short: 2, long: 40 },
  /** Random runs of directories of keys on a store that is restored. */
  SIGNER_RUNS: { short: 300, long: 10_000 },
  /** Restores of an older store, and failovers to one, below processes with the same signing keys. */
  SIGNER_RESTORES: { short: 2, long: 30 },
  /** Three processes that start at once on one database, and then once more on it: that is six starts of the service. */
  STARTS: { short: 1, long: 10 },
  /** kill -9 and three starts at once on one directory. */
  ROUNDS: { short: 3, long: 200 },
  /** Three starts at once on one directory, of which one takes the lock. */
  LOCK_ROUNDS: { short: 5, long: 200 },
  /** Each fault of a disk. */
  DISK_ROUNDS: { short: 1, long: 20 },
  /** Sequences of calls of the anchor contract. */
  CALL_SEQUENCES: { short: 25, long: 1000 },
  /** Memories of which both search indexes must find the same. */
  PARITY_MEMORIES: { short: 500, long: 5000 },
  /** Random stores that are compared with stores without the memories that must change nothing. */
  RANKED_STORES: { short: 30, long: 2000 },
  /** Memories that are exported and imported, and searches before and after that. */
  ROUND_TRIP: { short: 300, long: 5000 },
  ROUND_TRIP_SEARCHES: { short: 12, long: 60 },
  /** Notes that a person imports into a new workspace, each in a file of its own. */
  NOTES: { short: 60, long: 500 },
  /** Forms that each hostile text goes through: other ones for the next text. A long run takes all. */
  HOSTILE_FORMS: { short: 3, long: 100 },
  /** Requests made of the description of the API. */
  REQUESTS: { short: 8000, long: 100_000 },
  /** Hostile messages that are sent to /mcp. */
  MESSAGES: { short: 1000, long: 20_000 },
  /** Task receipts that are divided and put together again. */
  RECEIPTS: { short: 1000, long: 10_000 },
  /** Random economies and games, and hundreds of receipts in the largest economy. */
  ECONOMIES: { short: 12, long: 200 },
  /** Task receipts of a service, and moments at which its feeds are computed again. */
  RECOMPUTED: { short: 150, long: 200_000 },
  MOMENTS: { short: 1, long: 50 },
  /** Changed bundles, none of which may verify. */
  MUTATIONS: { short: 3000, long: 100_000 },
  /**
   * Texts that are damaged, or declare another charset, none of which may be read wrongly without a word. More of them meet
   * characters of Big5 and EUC-KR that Node's decoder, which checks them, has at other places than the Encoding Standard.
   */
  TEXT_MUTATIONS: { short: 500, long: 500 },
  /**
   * One in this number of the PDFs of the corpus is read by a process of its own, which takes a second. All of them are read in the
   * process of another test, by the same code.
   */
  PDF_STEP: { short: 8, long: 1 },
  /** Changed anchors on Ethereum, none of which may verify. */
  ETHEREUM_MUTATIONS: { short: 600, long: 10_000 },
  /** Blocks of Ethereum whose receipts are proved by us and by another library. */
  TRIES: { short: 10, long: 300 },
  /** Changed writings of public keys, each of which is one binding or refused. */
  KEYS: { short: 2000, long: 100_000 },
  /** Random sets of tasks, of which each is moved through time by random steps. */
  TIMELINES: { short: 12, long: 1000 },
  /** One in this number of steps of a long removal or indexing is the one before which the process is killed. */
  KILL_STEP: { short: 3, long: 1 },
  /** One in this number of database calls is broken, in each test of them. */
  CALL_STEP: { short: 12, long: 1 },
  /** The same for ledgers that no network is in front of. */
  LOCAL_CALL_STEP: { short: 4, long: 1 },
} as const;

export function repeats(name: keyof typeof counts): number {
  const { short, long } = counts[name];
  return Number(process.env[name] ?? (process.env.LONG === undefined ? short : long));
}
