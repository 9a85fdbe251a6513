import { limits, type RateLimit, rateLimits } from '../../../contracts/limits.js';
import { code, page, table } from './markdown.js';

/** The reference of the limits, from the constants that are enforced. */
export function limitReference(): string {
  const lead =
    'These limits are constants of the service; the [settings](settings.md) do not change them. Sizes in bytes are bytes of UTF-8.';
  const rows = Object.entries(meanings).map(([name, meaning]) => [
    code(name),
    shownValue(name, Object.entries(limits).find(([one]) => one === name)?.[1] ?? 0),
    meaning,
  ]);
  const rates = Object.values(rateLimits).map((limit: RateLimit) => [
    code(limit.name),
    `${limit.requests.toLocaleString('en')} in ${duration(limit.seconds * 1000)}`,
    limit.sentence,
  ]);
  return page('Limits', lead, [
    `## Sizes, counts and times\n\n${table(['limit', 'value', 'meaning'], rows)}`,
    `## Rates\n\nRequests beyond a rate get 429 with \`Retry-After\`. \`RATE_LIMITS=off\` switches these limits off.\n\n${table(['rate', 'value', 'message'], rates)}`,
  ]);
}

function shownValue(name: string, value: number): string {
  if (/Ms$/.test(name)) return duration(value);
  if (/Bytes$/.test(name)) return bytes(value);
  return value.toLocaleString('en');
}

function bytes(value: number): string {
  const [mebibyte, kibibyte] = [1024 ** 2, 1024];
  if (value % mebibyte === 0) return `${value / mebibyte} MiB`;
  return value % kibibyte === 0 ? `${value / kibibyte} KiB` : `${value.toLocaleString('en')} bytes`;
}

function duration(ms: number): string {
  const units = [
    [86_400_000, 'days'],
    [3_600_000, 'hours'],
    [60_000, 'minutes'],
    [1000, 'seconds'],
  ] as const;
  for (const [length, name] of units) {
    if (ms % length === 0) return ms === length ? `1 ${name.slice(0, -1)}` : `${ms / length} ${name}`;
  }
  return `${ms} ms`;
}

/** A limit without a meaning here does not compile. */
const meanings: Readonly<Record<keyof typeof limits, string>> = {
  bodyBytes: 'One request body.',
  headerBytes: 'The address and all headers of a request together.',
  contentBytes: 'The content of a memory.',
  metadataBytes: 'The metadata of a memory as JSON.',
  reasonCharacters: 'The reason for which a memory is invalidated.',
  sourceBytes: 'A file or a fetched page of an import.',
  urlCharacters: 'The address of an import.',
  filenameCharacters: 'The file name of an import.',
  fetchMs: 'Fetching a page for an import, redirects included.',
  redirects: 'Redirects of a fetched page.',
  freeDiskBytes: 'Free disk space below which the embedded store refuses writes.',
  jsonDepth: 'Levels of a JSON body.',
  jsonValues: 'Values in a JSON body, counted before it is parsed.',
  jsonMembers: 'Members of the outermost object of a body.',
  excerptCharacters: 'The excerpt of a memory in lists.',
  summaryMetadataKeys: 'Metadata fields that lists show.',
  listDefault: 'Page size of lists.',
  listMax: 'Largest page size of lists.',
  listOffset: 'Largest offset of pages by number; use a cursor beyond it.',
  listMetadataKeys: 'Keys of metadata that a list is filtered by.',
  listLooked: 'Memories that a list by metadata, source or status looks at in one request.',
  listPageLooked: 'The same for a list with `page`.',
  listTotal: 'The number up to which the total of a list is exact.',
  listQueryTotal: 'The same for a list with `q`.',
  listQueryCharacters: 'The parameter `q` of lists.',
  namespacesPerFilter: 'Namespaces in a filter.',
  namespacesPerPage: 'Namespaces in one page of their list.',
  namespacesPerKey: 'Namespaces that a key can be limited to.',
  nameCharacters: 'Names of namespaces, keys and webhooks.',
  exportDefault: 'Page size of exports.',
  exportMax: 'Largest page size of exports.',
  exportPageBytes: 'Contents in one page of an export.',
  queryCharacters: 'The query of a search.',
  searchDefault: 'Hits of a search.',
  searchMax: 'Largest number of hits of a search.',
  tokenBudgetDefault: 'Tokens of all contents in the answer of a search.',
  tokenBudgetMin: 'Smallest token budget.',
  tokenBudgetMax: 'Largest token budget.',
  filterDepth: 'Levels of nested filters.',
  filterLeaves: 'Conditions in a filter.',
  filterList: 'Values in one list of a filter.',
  filterValues: 'Values in a filter altogether, its lists and objects included.',
  filterDigits: 'Digits of a number in a filter, written without an exponent.',
  runIdCharacters: 'The id of a run.',
  idCharacters: 'Other ids in bodies.',
  directoryQueryCharacters: 'The text that is looked for in the public directory.',
  bulkDeleteIds: 'Memories in one bulk delete, and in one part of a delete by a filter.',
  selectedMemories: 'Memories that a delete by a filter selects.',
  selectionBytes: 'The filter of such a delete.',
  selectionLooked: 'Memories that are compared with the filter of such a delete.',
  pendingSelections: 'Deletes by filters of one requester that wait for a decision.',
  batchMemories: 'Memories in one batch.',
  approvalMs: 'Time until an approval expires.',
  askRules: 'Rules of one workspace that demand an approval.',
  ruleCharacters: 'One text of such a rule.',
  rulesBytes: 'All rules of a workspace as JSON.',
  pendingApprovals: 'Pending approvals of one requester that a repeated request is compared with.',
  attestationKeys: 'Public keys that may sign attestations of task receipts, of one workspace.',
  webhooksPerAgent: 'Webhooks of one agent.',
  webhooksPerWorkspace: 'Webhooks of one workspace.',
  webhookUrlCharacters: 'The address of a webhook.',
  patternCharacters: 'One text of a webhook pattern.',
  patternValues: 'Texts in one list, or fields, of a webhook pattern.',
  otlpBytes: 'an export of OpenTelemetry spans, after decompression',
  otlpValues: 'Values in such an export: fields of messages in protobuf, values in JSON.',
  receiptsPerBatch: 'Task receipts in one call.',
  receiptBytes: 'One task receipt, as it was sent.',
  kafkaValueBytes: 'The value of a Kafka record of task receipts.',
  receiptValues: 'Values in a task receipt, the receipt itself and its lists and objects included.',
  receiptLevels: 'Levels of a task receipt.',
  receiptToolCalls: 'Items of `tool_calls`.',
  receiptScopes: 'Items of `declared_scope`.',
  receiptScopeCharacters: 'One item of `declared_scope`.',
  receiptAttestations: 'Items of `attestations`.',
  receiptSummaryCharacters: 'The `task_summary` of a task receipt.',
  receiptDigits: 'Significant digits of a number in a member that the schema of task receipts names.',
  receiptAheadMs: 'How far `ended_at` of a task receipt may be ahead of the clock of the service.',
  proofCharacters: 'The challenge and the signature of a proof that a key is held, each.',
  publicKeyCharacters: 'A public key of an identity, in any form.',
  identityBytes: 'The body of a request that issues an identity.',
  identitiesPerPage: 'Identities in one page of their list.',
  closesPerPage: 'Closed days in one page of their list.',
  challengeMs: 'How long a challenge can be used.',
  traceReceipts: 'Receipts in the tree of a trace.',
  traceBytes: 'Entries and private texts in the tree of a trace.',
  mcpMessages: 'Messages in one batch over MCP.',
  mcpActions: 'Actions in one call of `record_action_batch`.',
  resourcesListed: 'Memories that are listed as resources over MCP, the newest.',
  completions: 'Values that are proposed while an id is typed, over MCP.',
  contextDefault: 'Memories in the result of `get_context`, if the call names no number.',
  contextMax: 'Memories in the result of `get_context`.',
  actionSummaryCharacters: 'The summary of a decision or a handoff, in code points.',
  actionOptions: 'Options of a decision.',
  actionOptionCharacters: 'One option of a decision, in code points.',
  actionReasonCharacters: 'The reason of a decision, in code points.',
  actionTaskCharacters: 'The task of a handoff, in code points.',
  actionRefs: 'References of a decision or a handoff.',
  actionRefCharacters: 'One reference of a decision or a handoff, in code points.',
  clientRefCharacters: 'The reference that a client gives to one action of a batch.',
  oauthClients: 'clients of the authorization server that have registered and not received a grant',
  clientNameCharacters:
    'The name and the redirect host of an OAuth client in a grant, in code points; the rest is cut off.',
  grantMs: 'How long a grant of OAuth lasts.',
  symbolCharacters: 'The symbol of a capability.',
  vendorCharacters: 'The name of a vendor.',
  refCharacters: 'The target of an alert or of an item of a watchlist, before its form is checked.',
  watched: 'Items of one kind in the watchlist of a person.',
  watchedFree: 'The same on the plan Free, with `TERMINAL_GATING=on`.',
  alerts: 'Alerts of a person.',
  alertsFree: 'The same on the plan Free, with `TERMINAL_GATING=on`.',
  terminalHistoryFreeMs: 'How far back a person on the plan Free sees in the terminal, with `TERMINAL_GATING=on`.',
  connectionsPerAddress:
    'Open connections of one address, in one process. Not with `TRUST_PROXY`, where connections are those of the proxy, nor with `RATE_LIMITS=off`.',
  requestsPerAddress:
    'Requests in flight of one address, in one process; behind `TRUST_PROXY` of the forwarded address. Not with `RATE_LIMITS=off`.',
  slowBodiesPerAddress:
    'The part of them whose body has not arrived after `slowBodyMs`; more of them get 408 and are closed.',
  slowBodyMs: 'The time after which a request whose body has not arrived counts as slow.',
  streamsPerPerson: 'Open streams of the terminal of one person, in one process.',
  streamsPerAddress: 'The same of one address, of clients that are not signed in.',
  streams: 'Open streams of the terminal in one process.',
  streamsForPeople: 'The part of them that only people who are signed in can open.',
  widgetWidthMin: 'Smallest width of a widget.',
  widgetWidthMax: 'Largest width of a widget.',
  widgetHeightMin: 'Smallest height of a widget.',
  widgetHeightMax: 'Largest height of a widget.',
  ingestIdleMs: 'Time since the last step of an ingest job, done or tried, after which a person may queue it again.',
  ingestStalledMs: 'Time since an ingest job was queued after which it counts as stalled when it is not done.',
  retriedJobs: 'Failed jobs in one retry.',
  retriedJobsDefault: 'Failed jobs in one retry without limit.',
  preferredWaitSeconds: 'Seconds that a write waits for its job at most, with Prefer: wait.',
  ingestAttempts: 'Attempts of an ingest job before it fails.',
};
