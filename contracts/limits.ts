/** The limits of the interface, once. Bytes are bytes of UTF-8. */
export const limits = {
  bodyBytes: 8 * 1024 * 1024,
  /** Of the address and all headers: a query of 2000 characters that an address has to escape takes up to 18 KiB. */
  headerBytes: 32 * 1024,
  contentBytes: 1_048_576,
  metadataBytes: 65_536,
  /** Of the reason for which a memory is invalidated, in code points. */
  reasonCharacters: 1024,
  /** Of a file or a fetched page: 5 MiB, so that 5 MB are accepted in either meaning. */
  sourceBytes: 5 * 1024 * 1024,
  urlCharacters: 2048,
  filenameCharacters: 1024,
  fetchMs: 10_000,
  redirects: 5,
  /** Below this much free space on its disk the embedded store takes no writes. */
  freeDiskBytes: 64 * 1024 * 1024,
  /** Deeper JSON is refused before anything recursive touches it. */
  jsonDepth: 64,
  /** Values in one body, which is what parsing takes its time for. Metadata of 64 KiB has at most half as many as bytes. */
  jsonValues: 40_000,
  /** Members of a body itself: no call takes half as many. */
  jsonMembers: 64,
  excerptCharacters: 280,
  summaryMetadataKeys: 20,
  listDefault: 25,
  listMax: 100,
  listOffset: 10_000,
  /** Keys of metadata in the query of a list. */
  listMetadataKeys: 16,
  /** Memories that a list by metadata, source or status looks at in one request, and that it looks at to reach a page. */
  listLooked: 20_000,
  listPageLooked: 50_000,
  /** Up to which the total of a list is exact, also with q. */
  listTotal: 10_000,
  listQueryTotal: 1000,
  listQueryCharacters: 2000,
  namespacesPerFilter: 100,
  namespacesPerPage: 1000,
  namespacesPerKey: 1000,
  nameCharacters: 64,
  exportDefault: 100,
  exportMax: 1000,
  exportPageBytes: 8 * 1024 * 1024,
  queryCharacters: 2000,
  searchDefault: 8,
  searchMax: 50,
  tokenBudgetDefault: 4000,
  tokenBudgetMin: 200,
  tokenBudgetMax: 32_000,
  filterDepth: 4,
  filterLeaves: 32,
  /** Values of one list in a filter, and of all of a filter, its lists and objects counted too. */
  filterList: 1000,
  filterValues: 2500,
  /** Of a number in a filter, when it is written without an exponent. */
  filterDigits: 1000,
  runIdCharacters: 128,
  /** Of ids that are sent in bodies. */
  idCharacters: 128,
  directoryQueryCharacters: 200,
  bulkDeleteIds: 1000,
  /** Of a delete by a filter: memories that it selects, the filter itself, and memories that are looked at. */
  selectedMemories: 100_000,
  selectionBytes: 65_536,
  selectionLooked: 300_000,
  /** Deletes by filters of one requester that wait for a decision: each keeps a list of ids in the vault. */
  pendingSelections: 10,
  batchMemories: 1000,
  approvalMs: 7 * 24 * 3_600_000,
  /** Rules that ask, of one workspace. */
  askRules: 100,
  ruleCharacters: 1024,
  /** Of all rules as JSON: they are part of their entry, which must fit into a bundle. */
  rulesBytes: 65_536,
  /** Of one requester: older ones are not compared with a repeated request. */
  pendingApprovals: 100,
  /** Of a workspace. An attestation that names none of them is compared with each. */
  attestationKeys: 100,
  webhooksPerAgent: 50,
  webhooksPerWorkspace: 500,
  webhookUrlCharacters: 2000,
  /** Of one text of a webhook's pattern, and how many texts or keys it may have in a list. */
  patternCharacters: 1000,
  patternValues: 50,
  /** Of an export of OpenTelemetry spans after decompression. */
  otlpBytes: 64 * 1024 * 1024,
  otlpValues: 2_000_000,
  /** Task receipts: of one call, and of one receipt. Lengths are code points. */
  receiptsPerBatch: 100,
  receiptBytes: 65_536,
  /** Of a record of Kafka: one receipt or a batch. */
  kafkaValueBytes: 1_048_576,
  /** The receipt itself, and all values in it. */
  receiptValues: 4096,
  receiptLevels: 16,
  receiptToolCalls: 256,
  receiptScopes: 256,
  receiptScopeCharacters: 128,
  receiptAttestations: 16,
  receiptSummaryCharacters: 1024,
  /** Significant digits of a number in a member that the schema names. */
  receiptDigits: 17,
  /** How far the end of a task may be ahead of the clock of the service. */
  receiptAheadMs: 5 * 60_000,
  /** Of the challenge and the signature of a proof that a key is held. */
  proofCharacters: 256,
  /** Of a public key in any of its writings. */
  publicKeyCharacters: 2048,
  /** Of the body that issues an identity. */
  identityBytes: 16_384,
  identitiesPerPage: 100,
  closesPerPage: 100,
  challengeMs: 10 * 60_000,
  /** Of the tree of a trace: receipts, and bytes of their entries and private texts. */
  traceReceipts: 1000,
  traceBytes: 8 * 1024 * 1024,
  /** MCP: messages of one batch, and actions of one call of record_action_batch. */
  mcpMessages: 20,
  mcpActions: 50,
  /** Resources that an MCP server lists in all. */
  resourcesListed: 1000,
  completions: 100,
  contextDefault: 8,
  contextMax: 50,
  /** Of decisions and handoffs, in code points but for the counts of options and references. */
  actionSummaryCharacters: 1024,
  actionOptions: 20,
  actionOptionCharacters: 200,
  actionReasonCharacters: 4096,
  actionTaskCharacters: 1024,
  actionRefs: 32,
  actionRefCharacters: 256,
  clientRefCharacters: 128,
  /** Clients of the authorization server that have registered and not received a grant. */
  oauthClients: 10_000,
  /** Of the name and the host of an OAuth client in a grant. The rest is cut off. */
  clientNameCharacters: 256,
  grantMs: 90 * 24 * 3_600_000,
  /** Of the symbol of a capability, and of the name of a vendor. */
  symbolCharacters: 40,
  vendorCharacters: 64,
  /** Of what a watchlist or an alert names, before it is checked more closely. */
  refCharacters: 256,
  /** Of one kind in the watchlist of a person, and on the plan Free where plans limit the terminal. */
  watched: 200,
  watchedFree: 10,
  /** Alerts of a person, and on the plan Free where plans limit the terminal. */
  alerts: 100,
  alertsFree: 5,
  /** How far back a person on the plan Free sees where plans limit the terminal. */
  terminalHistoryFreeMs: 7 * 24 * 3_600_000,
  /** Of one address: connections, requests in flight, and the ones of them whose body has not come after `slowBodyMs`. */
  connectionsPerAddress: 2048,
  requestsPerAddress: 2048,
  slowBodiesPerAddress: 32,
  slowBodyMs: 10_000,
  /** Open streams of the terminal: of one person, and of one process. */
  streamsPerPerson: 3,
  streamsPerAddress: 5,
  streams: 1000,
  streamsForPeople: 200,
  widgetWidthMin: 160,
  widgetWidthMax: 480,
  widgetHeightMin: 60,
  widgetHeightMax: 160,
  ingestIdleMs: 15 * 60_000,
  ingestStalledMs: 4 * 3_600_000,
  ingestAttempts: 5,
  /** Failed jobs that one call retries: at most, and by default. */
  retriedJobs: 1000,
  retriedJobsDefault: 100,
  /** How long a write waits at most for a client that prefers to. */
  preferredWaitSeconds: 10,
} as const;

/** The number of requests that are allowed in a window of time. */
export interface RateLimit {
  readonly name: string;
  readonly requests: number;
  readonly seconds: number;
  /** How long a caller over the limit is refused, if longer than until the end of the window. */
  readonly blockSeconds?: number;
  /** The message for a caller over the limit. */
  readonly sentence: string;
}

export const rateLimits = {
  address: {
    name: 'address',
    requests: 300,
    seconds: 60,
    sentence: 'One address may send 300 requests a minute to /v1/.',
  },
  /** The pages for people and their forms. Not counted among the requests to /v1/. */
  pages: { name: 'pages', requests: 300, seconds: 60, sentence: 'One address may open 300 pages a minute.' },
  /** The pages of a person who is signed in: many people may share an address, and pages that follow a list ask often. */
  sessionPages: {
    name: 'session-pages',
    requests: 600,
    seconds: 60,
    sentence: 'A person who is signed in may open 600 pages a minute.',
  },
  /** Public files: a client that follows the log reads a tile after the other. Not counted among the requests to /v1/. */
  publicFiles: {
    name: 'public-files',
    requests: 1200,
    seconds: 60,
    sentence: 'One address may fetch 1,200 public files and records a minute.',
  },
  webhookLists: {
    name: 'webhook-lists',
    requests: 120,
    seconds: 60,
    sentence: 'One address may list webhooks 120 times a minute.',
  },
  writes: { name: 'writes', requests: 600, seconds: 60, sentence: 'A workspace may write 600 times a minute.' },
  /** Batches of task receipts. Not counted among the requests to /v1/. */
  taskReceipts: {
    name: 'task-receipts',
    requests: 600,
    seconds: 60,
    sentence: 'A workspace may submit task receipts 600 times a minute.',
  },
  mcp: {
    name: 'mcp',
    requests: 120,
    seconds: 60,
    sentence: 'An access token or an agent key may send 120 messages a minute to /mcp.',
  },
  /** Every path of the authorization server together: one address may be that of a provider with many people. */
  oauth: {
    name: 'oauth',
    requests: 300,
    seconds: 60,
    sentence: 'One address may send 300 requests a minute to the authorization server.',
  },
  registrations: {
    name: 'registrations',
    requests: 20,
    seconds: 3600,
    sentence: 'One address may register 20 OAuth clients an hour.',
  },
  signIns: {
    name: 'sign-ins',
    requests: 10,
    seconds: 900,
    blockSeconds: 900,
    sentence:
      'After 10 failed attempts within 15 minutes the account is locked for that address for another 15 minutes.',
  },
  /** Right or wrong, with a password or by a provider: each costs a fifth of a second of a core, or asks the provider. */
  signInAttempts: {
    name: 'sign-in-attempts',
    requests: 10,
    seconds: 60,
    sentence: 'One address may try to sign in 10 times a minute.',
  },
  /** Repeated requests for an identity that exists count in the limit of all requests only. */
  identities: {
    name: 'identities',
    requests: 20,
    seconds: 3600,
    sentence: 'One address may have 20 new identities issued an hour.',
  },
  /** Of one person. Not counted among the requests to /v1/ of the address. */
  terminal: {
    name: 'terminal',
    requests: 120,
    seconds: 60,
    sentence: 'A person may send 120 requests a minute to the account of the terminal.',
  },
  keys: { name: 'keys', requests: 20, seconds: 3600, sentence: 'A workspace may create 20 API keys an hour.' },
  /** For one day of UTC. Beyond it searches use keywords alone. */
  queryEmbeddings: {
    name: 'query-embeddings',
    requests: 5000,
    seconds: 86_400,
    sentence: 'A workspace may have 5000 queries embedded a day.',
  },
  searches: { name: 'searches', requests: 300, seconds: 60, sentence: 'A workspace may search 300 times a minute.' },
} as const satisfies Record<string, RateLimit>;
