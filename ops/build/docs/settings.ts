import type { settings } from '../../../src/settings/config.js';
import { type Described, ethereumDocs, ethereumNames } from './ethereum-settings.js';
import { code, page, table } from './markdown.js';

/** The reference of the settings. A setting without a description here does not compile. */
export function settingReference(): string {
  const lead =
    'Settings come from the environment, or from a file `.env` of lines `NAME=value` in the working directory; the environment has\n' +
    'precedence. A wrong setting stops the start with a sentence that names it.';
  const parts = groups.map(({ title, names }) => {
    const rows = names.map((name) => [code(name), described[name].meaning, described[name].standard]);
    return `## ${title}\n\n${table(['variable', 'meaning', 'default'], rows)}`;
  });
  const left = Object.keys(described).filter((name) => !groups.some(({ names }) => names.some((one) => one === name)));
  if (left.length > 0) throw new Error(`these settings are in no group of the reference: ${left.join(', ')}`);
  return page('Settings', lead, parts);
}

type Setting = keyof (typeof settings)['shape'];

const described: Readonly<Record<Setting, Described>> = {
  HOST: { meaning: 'The address that the service listens on.', standard: '`127.0.0.1`' },
  PORT: { meaning: 'The port. 0 takes a free one and prints it.', standard: '`8080`' },
  BASE_URL: {
    meaning:
      'The public address, without a path. Its host becomes the permanent name of the transparency log when the log begins. With `DATABASE_URL` a start without it warns until then.',
    standard: '`http://HOST:PORT`',
  },
  DATA_DIR: { meaning: 'The directory of the embedded database and of the signing keys.', standard: '`./data`' },
  DATABASE_URL_FILE: {
    meaning: 'A file with `DATABASE_URL`, instead of that setting. Only this user may be able to read it.',
    standard: 'unset',
  },
  DATABASE_URL: {
    meaning:
      'A PostgreSQL server with pgvector instead of the embedded database: `postgres://…`. See [the address, and TLS](../operating/postgresql.md#the-address-and-tls).',
    standard: 'unset',
  },
  EMBEDDINGS_URL: {
    meaning: 'A server with the OpenAI embeddings API: `http://…/v1`. Needs `EMBEDDINGS_MODEL`.',
    standard: 'built-in embedder',
  },
  EMBEDDINGS_MODEL: {
    meaning: 'The model of that server. Needs `EMBEDDINGS_URL`. With another name all memories are embedded again.',
    standard: 'unset',
  },
  EMBEDDINGS_API_KEY: { meaning: 'Sent to that server as bearer token.', standard: 'unset' },
  SEARCH_ARMS: { meaning: '`dense,keyword`, or one of the two alone.', standard: '`dense,keyword`' },
  ANCHOR_INTERVAL: {
    meaning: 'How often a checkpoint is signed and timestamped: `90s`, `10m`, `2h`, at most `168h`.',
    standard: '`10m`',
  },
  OTS_CALENDARS: {
    meaning: 'OpenTimestamps calendars, separated by commas; `off` for none.',
    standard: 'four public ones',
  },
  WITNESSES: {
    meaning: 'Witnesses that cosign checkpoints (C2SP tlog-witness): pairs `VKEY URL`, separated by commas.',
    standard: 'none',
  },
  BITCOIN_HEADERS: {
    meaning: 'Where block headers come from: an Esplora URL, a bitcoind URL with credentials, or a file.',
    standard: 'unset',
  },
  OWNER_EMAIL: {
    meaning: 'The e-mail address of the owner. Used only when the store is empty, like the next two.',
    standard: 'owner@localhost',
  },
  OWNER_PASSWORD_FILE: {
    meaning: 'A file with `OWNER_PASSWORD`, instead of that setting. Only this user may be able to read it.',
    standard: 'unset',
  },
  OWNER_PASSWORD: { meaning: 'At least 12 characters.', standard: 'generated' },
  BOOTSTRAP_API_KEY: {
    meaning: 'The first API key: `ak_` and at least 29 characters of `A-Z a-z 0-9 _ -`.',
    standard: 'generated',
  },
  OPERATORS: {
    meaning:
      'E-mail addresses of the people who may see [the state of the service](../operating/monitoring.md#the-state-for-operators), comma separated. No one outside the first workspace can make an account for them.',
    standard: 'the owners of the workspace of the first start',
  },
  OIDC_ISSUER: {
    meaning: 'An OpenID Connect provider for sign-in, `https` unless it is on this machine. Needs the next two.',
    standard: 'none',
  },
  OIDC_CLIENT_ID: { meaning: 'The client id of this service at the provider.', standard: 'none' },
  OIDC_CLIENT_SECRET_FILE: {
    meaning: 'A file with `OIDC_CLIENT_SECRET`, instead of that setting. Only this user may be able to read it.',
    standard: 'unset',
  },
  OIDC_CLIENT_SECRET: { meaning: 'The client secret of this service at the provider.', standard: 'none' },
  OIDC_EMAIL_VERIFIED: {
    meaning:
      '`assumed` for a provider that verifies every address and does not say so: a missing `email_verified`, or the text `"true"`, counts as verified. `false` never does.',
    standard: '`claim`',
  },
  RATE_LIMITS: {
    meaning: '`off` for benchmarks, and where a gateway in front of the service limits requests.',
    standard: '`on`',
  },
  TERMINAL_GATING: {
    meaning:
      '`on` limits watchlists, alerts and history of the [terminal](../guides/terminal.md) by the plan of the workspace.',
    standard: '`off`',
  },
  SMTP_URL_FILE: {
    meaning: 'A file with `SMTP_URL`, instead of that setting. Only this user may be able to read it.',
    standard: 'unset',
  },
  SMTP_URL: {
    meaning:
      'The mail server for [alerts](../guides/terminal.md#e-mail) and [waiting approvals](../guides/governance.md#e-mails-to-those-who-decide): `smtp://user:password@host:587`, or `smtps://…` for TLS from the first byte.',
    standard: 'unset: no e-mails are sent',
  },
  SMTP_FROM: {
    meaning: 'The sender of these e-mails: an address, or `Name <address>`.',
    standard: 'counterfoil@ and the host of `BASE_URL`',
  },
  MEMORY_API: {
    meaning: '`off` for a process that only manages people and serves the transparency log.',
    standard: '`on`',
  },
  VENDOR_PLATFORMS: {
    meaning:
      'The six platforms that task receipts may name besides the fixed ones, comma separated. Each has 1 to 64 characters of `A-Z a-z 0-9 . _ -`.',
    standard:
      '`vendor_platform_1,vendor_platform_2,vendor_platform_3,vendor_platform_4,vendor_platform_5,vendor_platform_6`',
  },
  ROLES: {
    meaning:
      'The work of this process, comma separated: `http`, `ingest`, `webhooks`, `anchoring`, `upkeep`. Every process answers `/healthz`, `/readyz` and `/metrics`. The embedded database admits one process, which needs all roles.',
    standard: 'all of them',
  },
  MCP_ICONS: {
    meaning: '`off`: the MCP server shows no icon, for clients that fail on it.',
    standard: '`on`',
  },
  MCP_SEARCH_FETCH: {
    meaning: '`on`: the MCP server also has the tools `search` and `fetch`, which connectors of ChatGPT require.',
    standard: '`off`',
  },
  MCP_ALLOWED_ORIGINS: {
    meaning:
      'Origins whose pages may call `/mcp` from a browser, comma separated, such as `https://app.example.org`; `*` for all.',
    standard: "the service's own, and any of this machine if `BASE_URL` is on it",
  },
  CORS_ORIGINS: {
    meaning:
      'Origins whose pages may call the routes below `/v1/` from a browser, with a key and without cookies, comma separated, such as `https://app.example.org`; `*` for all. Public feeds and files are open to pages of every site.',
    standard: 'none',
  },
  TRUST_PROXY: {
    meaning:
      'Proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are believed: the number of proxies in front (`1`), or their addresses.',
    standard: '`off`',
  },
  OAUTH_CLIENT_METADATA: {
    meaning:
      'Whether MCP clients may sign in with the address of a metadata document instead of registering: `on` or `off`. The service fetches these documents.',
    standard: '`on` when `BASE_URL` is https',
  },
  ALLOW_PRIVATE_URLS: {
    meaning: '`1` for tests only: imports of URLs and webhooks may use private addresses, any port and `http`.',
    standard: '`0`',
  },
  DATABASE_REPLICA_URL: {
    meaning:
      'A replica of that server for reads that may lag: lists, feeds, and the memories of search hits. Each waits at most 500 ms for what the caller has written; then the server itself answers.',
    standard: 'unset',
  },
  EVENTSTORE_URL: {
    meaning:
      'EventStoreDB as the [ledger](../operating/eventstore.md): `esdb://user:password@host:2113?tls=true`, with its credentials percent-encoded. It is never logged.',
    standard: 'unset: the ledger is in the database',
  },
  EVENTSTORE_PREFIX: {
    meaning: 'The streams are named `PREFIX-<chain id>`, so that two services can use one cluster.',
    standard: '`counterfoil`',
  },
  ELASTICSEARCH_URL: {
    meaning:
      'Elasticsearch 8 or 9 as the [search index](../operating/elasticsearch.md): `https://…`. It is never logged.',
    standard: 'unset: the index is in the database',
  },
  ELASTICSEARCH_API_KEY: { meaning: 'An API key of Elasticsearch, in its encoded form.', standard: 'unset' },
  ELASTICSEARCH_API_KEY_FILE: { meaning: 'The same in a file that only this user can read.', standard: 'unset' },
  ELASTICSEARCH_CA_FILE: { meaning: 'Certificates of the authorities that are trusted, in PEM.', standard: "Node's" },
  ELASTICSEARCH_INDEX_PREFIX: {
    meaning: 'The index is reached by the alias `PREFIX-memories`.',
    standard: '`counterfoil`',
  },
  ELASTICSEARCH_SHARDS: { meaning: 'Shards of the next index that the service makes.', standard: '`1`' },
  ELASTICSEARCH_REPLICAS: { meaning: 'Copies of each shard.', standard: '1, or 0 on a cluster of one node' },
  SEARCH_FALLBACK: {
    meaning:
      '`on`: the index of the database answers while Elasticsearch is away or behind. `off`: it does not; its words and vectors are kept all the same, because the scores come from them.',
    standard: '`on`',
  },
  KAFKA_BROKERS: {
    meaning:
      'Brokers of Kafka, `host:port`, comma separated. With them, entries are sent to a [topic](../operating/kafka.md).',
    standard: 'unset',
  },
  KAFKA_ENTRIES_TOPIC: {
    meaning:
      'The topic of the entries. It holds ids, names and actors of all workspaces. It is made when it is missing.',
    standard: '`counterfoil.entries.v1`',
  },
  KAFKA_PARTITIONS: { meaning: 'Partitions of a topic that the service makes.', standard: '`12`' },
  KAFKA_LOG_TOPIC: {
    meaning: "The topic of the entries of the log's and the registry's chains.",
    standard: 'unset: they are not sent',
  },
  KAFKA_RECEIPTS_TOPIC: { meaning: 'Task receipts are taken from this topic.', standard: 'unset: none are' },
  KAFKA_RECEIPTS_KEY_FILE: {
    meaning: 'A file with the API key for records of that topic that name no key themselves.',
    standard: 'unset',
  },
  KAFKA_GROUP: { meaning: 'The consumer group that takes them.', standard: '`counterfoil`' },
  KAFKA_TLS: { meaning: '`on` to connect by TLS.', standard: '`off`' },
  KAFKA_CA_FILE: { meaning: 'Certificates of the authorities that are trusted, in PEM.', standard: "Node's" },
  KAFKA_CERT_FILE: { meaning: 'The certificate of this client, in PEM. Needs `KAFKA_KEY_FILE`.', standard: 'unset' },
  KAFKA_KEY_FILE: { meaning: 'The private key of that certificate.', standard: 'unset' },
  KAFKA_SASL_MECHANISM: {
    meaning: '`plain`, `scram-sha-256` or `scram-sha-512`. Needs the next two.',
    standard: 'unset',
  },
  KAFKA_USERNAME: { meaning: 'The name of this client at the brokers.', standard: 'unset' },
  KAFKA_PASSWORD_FILE: { meaning: 'A file with its password that only this user can read.', standard: 'unset' },
  ...ethereumDocs,
  LOG_LEVEL: { meaning: '`silent`, `error`, `warn`, `info` or `debug`.', standard: '`info`' },
};

const groups: readonly { readonly title: string; readonly names: readonly Setting[] }[] = [
  {
    title: 'Server',
    names: ['HOST', 'PORT', 'BASE_URL', 'ROLES', 'TRUST_PROXY', 'RATE_LIMITS', 'MEMORY_API', 'LOG_LEVEL'],
  },
  { title: 'Store', names: ['DATA_DIR', 'DATABASE_URL', 'DATABASE_URL_FILE', 'DATABASE_REPLICA_URL'] },
  { title: 'Search', names: ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL', 'EMBEDDINGS_API_KEY', 'SEARCH_ARMS'] },
  { title: 'Transparency log', names: ['ANCHOR_INTERVAL', 'OTS_CALENDARS', 'WITNESSES', 'BITCOIN_HEADERS'] },
  {
    title: 'People and the first start',
    names: [
      'OWNER_EMAIL',
      'OWNER_PASSWORD',
      'OWNER_PASSWORD_FILE',
      'BOOTSTRAP_API_KEY',
      'OPERATORS',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_CLIENT_SECRET_FILE',
      'OIDC_EMAIL_VERIFIED',
    ],
  },
  { title: 'Agents', names: ['MCP_SEARCH_FETCH', 'MCP_ICONS', 'MCP_ALLOWED_ORIGINS', 'OAUTH_CLIENT_METADATA'] },
  { title: 'Browsers', names: ['CORS_ORIGINS'] },
  { title: 'Task receipts', names: ['VENDOR_PLATFORMS'] },
  { title: 'Terminal', names: ['TERMINAL_GATING', 'SMTP_URL', 'SMTP_URL_FILE', 'SMTP_FROM'] },
  { title: 'EventStoreDB', names: ['EVENTSTORE_URL', 'EVENTSTORE_PREFIX'] },
  {
    title: 'Elasticsearch',
    names: [
      'ELASTICSEARCH_URL',
      'ELASTICSEARCH_API_KEY',
      'ELASTICSEARCH_API_KEY_FILE',
      'ELASTICSEARCH_CA_FILE',
      'ELASTICSEARCH_INDEX_PREFIX',
      'ELASTICSEARCH_SHARDS',
      'ELASTICSEARCH_REPLICAS',
      'SEARCH_FALLBACK',
    ],
  },
  {
    title: 'Kafka',
    names: [
      'KAFKA_BROKERS',
      'KAFKA_ENTRIES_TOPIC',
      'KAFKA_PARTITIONS',
      'KAFKA_LOG_TOPIC',
      'KAFKA_RECEIPTS_TOPIC',
      'KAFKA_RECEIPTS_KEY_FILE',
      'KAFKA_GROUP',
      'KAFKA_TLS',
      'KAFKA_CA_FILE',
      'KAFKA_CERT_FILE',
      'KAFKA_KEY_FILE',
      'KAFKA_SASL_MECHANISM',
      'KAFKA_USERNAME',
      'KAFKA_PASSWORD_FILE',
    ],
  },
  { title: 'Ethereum', names: ethereumNames },
  { title: 'Tests', names: ['ALLOW_PRIVATE_URLS'] },
];
