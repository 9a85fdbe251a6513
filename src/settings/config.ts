import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { defaultVendorPlatforms } from '../../contracts/task-receipt.js';
import type { NamedOperators } from '../domain/operators.js';
import {
  type ElasticsearchSetting,
  type EventStoreSetting,
  engineSettings,
  type KafkaSetting,
  readElasticsearch,
  readEventStore,
  readKafka,
} from './engines.js';
import { type Erc8004Setting, type EthereumSetting, ethereumSettings, readErc8004, readEthereum } from './ethereum.js';
import { type OidcSetting, publicCalendars, type SmtpSetting, type WitnessSetting } from './peers.js';
import { type Role, roles } from './roles.js';
import { readGiven } from './rules.js';
import { fileSettings, withSecretFiles } from './secret-settings.js';
import {
  databaseUrl,
  httpUrl,
  isOnlyOrigin,
  isSafeIssuer,
  isSmtpUrl,
  milliseconds,
  readCalendars,
  readOperators,
  readOrigins,
  readRoles,
  readSender,
  readSmtp,
  readTrustProxy,
  readVendorPlatforms,
  readWitnesses,
  smtpForm,
} from './values.js';
import { WrongSetting } from './wrong-setting.js';

export { WrongSetting };

/** The settings from the environment, which is read once. A wrong setting stops the start with a sentence that names it. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  /** Whether BASE_URL was set. Otherwise it is made of the address at which this process listens. */
  readonly hasBaseUrl: boolean;
  readonly dataDir: string;
  /** Unset: the embedded database in dataDir. */
  readonly databaseUrl: string | undefined;
  /** A replica of that server for reads that may lag; unset: all reads go to the server itself. */
  readonly replicaUrl: string | undefined;
  /** Unset: the ledger is in the database. */
  readonly eventStore: EventStoreSetting | undefined;
  /** Unset: the search index is in the database. */
  readonly elasticsearch: ElasticsearchSetting | undefined;
  /** Unset: entries are sent nowhere, and no task receipts are taken from a topic. */
  readonly kafka: KafkaSetting | undefined;
  /** Unset: checkpoints are not anchored on Ethereum. */
  readonly ethereum: EthereumSetting | undefined;
  /** Unset: nothing is said about agents in the registries of ERC-8004. */
  readonly erc8004: Erc8004Setting | undefined;
  readonly embeddings:
    | { readonly url: string; readonly model: string; readonly apiKey: string | undefined }
    | undefined;
  readonly searchArms: readonly ('dense' | 'keyword')[];
  readonly owner: { readonly email: string | undefined; readonly password: string | undefined };
  readonly bootstrapApiKey: string | undefined;
  /** The people who run the service; see `NamedOperators`. */
  readonly operators: NamedOperators;
  /** The OpenID Connect provider with which people sign in; unset: they sign in with passwords only. */
  readonly oidc: OidcSetting | undefined;
  readonly anchorIntervalMs: number;
  /** Empty: nothing is submitted. */
  readonly calendars: readonly string[];
  readonly witnesses: readonly WitnessSetting[];
  /** A URL or a file of block headers; unset: the service does not check the blocks that proofs name. */
  readonly bitcoinHeaders: string | undefined;
  readonly rateLimits: boolean;
  /** Whether plans limit watchlists, alerts and history in the terminal. */
  readonly terminalGating: boolean;
  /** The server that sends the e-mails of alerts; unset: none are sent. */
  readonly smtp: SmtpSetting | undefined;
  /** Whether there is a memory API at all; off where this process only serves proofs and manages people. */
  readonly memoryApi: boolean;
  /** Whether the clock of the machine is right although the store is older. An option of `serve` says so, and no setting. */
  readonly acceptClock: boolean;
  /** For tests: URL imports and webhooks may go to private addresses and other ports, webhooks over http too. */
  readonly allowPrivateUrls: boolean;
  /** Whether OAuth clients may be known by metadata documents at their addresses instead of registering. */
  readonly clientMetadataDocuments: boolean;
  /** The six platforms of task receipts that an installation names, besides the fixed ones. */
  readonly vendorPlatforms: readonly string[];
  /** The proxies whose X-Forwarded-For is trusted: none, this number of proxies next to the service, or these addresses. */
  readonly trustProxy: false | number | string[];
  /** Whether the MCP server also has the tools search and fetch, which connectors of ChatGPT require. */
  readonly searchFetch: boolean;
  /** Whether the MCP server shows its icon to clients. */
  readonly mcpIcons: boolean;
  /** The origins whose pages may call /mcp, or `*`; unset: that of baseUrl, and those of this machine if baseUrl is on it. */
  readonly mcpAllowedOrigins: readonly string[] | undefined;
  /** The origins whose pages may call the routes below /v1/, or `*`. */
  readonly corsOrigins: readonly string[];
  /** The work that this process does; see src/settings/roles.ts. */
  readonly roles: readonly Role[];
  readonly logLevel: string;
}

const text = z.string().min(1).optional();
/** BASE_URL becomes the name of the transparency log in every checkpoint, so it must not contain anything private or temporary. */
const origin = httpUrl.refine(isOnlyOrigin, {
  error: 'must be scheme, host and port alone, such as https://memory.example.org: no user, path, query or fragment',
  abort: true,
});

/** The settings by their names; ops/build/docs/settings.ts describes each. */
export const settings = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(8080),
  BASE_URL: origin.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  EMBEDDINGS_URL: httpUrl.optional(),
  EMBEDDINGS_MODEL: text,
  EMBEDDINGS_API_KEY: text,
  SEARCH_ARMS: z.enum(['dense,keyword', 'keyword,dense', 'dense', 'keyword']).default('dense,keyword'),
  // The default, owner@localhost, must be accepted as an address too.
  OWNER_EMAIL: z
    .string()
    .regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address')
    .optional(),
  OWNER_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^ak_[A-Za-z0-9_-]{29,}$/, 'must start with ak_ and have at least 32 characters of A-Z a-z 0-9 _ -')
    .optional(),
  OPERATORS: z.string().transform(readOperators).optional(),
  OIDC_ISSUER: httpUrl
    .refine(isSafeIssuer, 'must be an https address; http is for this machine only (127.0.0.1, ::1, localhost)')
    .optional(),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_EMAIL_VERIFIED: z.enum(['claim', 'assumed']).default('claim'),
  ANCHOR_INTERVAL: z
    .string()
    .regex(/^[1-9]\d{0,5}[smh]$/, 'must be a number with s, m or h, such as 10m')
    .transform(milliseconds)
    // A timer of more than 24 days fires at once.
    .refine((ms) => ms <= 7 * 86_400_000, 'must be at most 168h')
    .default(600_000),
  OTS_CALENDARS: z
    .string()
    .transform(readCalendars)
    .default([...publicCalendars]),
  WITNESSES: z.string().transform(readWitnesses).default([]),
  BITCOIN_HEADERS: text,
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  TERMINAL_GATING: z.enum(['on', 'off']).default('off'),
  SMTP_URL: z.string().refine(isSmtpUrl, smtpForm).optional(),
  SMTP_FROM: z.string().transform(readSender).optional(),
  MEMORY_API: z.enum(['on', 'off']).default('on'),
  ALLOW_PRIVATE_URLS: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  OAUTH_CLIENT_METADATA: z.enum(['on', 'off']).optional(),
  VENDOR_PLATFORMS: z
    .string()
    .transform(readVendorPlatforms)
    .default([...defaultVendorPlatforms]),
  ROLES: z
    .string()
    .transform(readRoles)
    .default([...roles]),
  TRUST_PROXY: z.string().transform(readTrustProxy).default(false),
  MCP_SEARCH_FETCH: z.enum(['on', 'off']).default('off'),
  MCP_ICONS: z.enum(['on', 'off']).default('on'),
  MCP_ALLOWED_ORIGINS: z.string().transform(readOrigins).optional(),
  CORS_ORIGINS: z.string().transform(readOrigins).default([]),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  ...fileSettings,
  ...engineSettings,
  ...ethereumSettings,
});

/** @throws WrongSetting with one sentence for the first setting that is wrong */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return withSecretFiles(env, configOf);
}

function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const set = readGiven(settings, env);
  if (set.EMBEDDINGS_URL && !set.EMBEDDINGS_MODEL) {
    throw new WrongSetting(
      'EMBEDDINGS_MODEL is missing: EMBEDDINGS_URL is set, and vectors must name the model they are of.',
    );
  }
  if (!set.EMBEDDINGS_URL && (set.EMBEDDINGS_MODEL ?? set.EMBEDDINGS_API_KEY)) {
    throw new WrongSetting('EMBEDDINGS_URL is missing: EMBEDDINGS_MODEL or EMBEDDINGS_API_KEY is set without it.');
  }
  if (set.SMTP_FROM && !set.SMTP_URL) throw new WrongSetting('SMTP_URL is missing: SMTP_FROM is set without it.');
  if (set.DATABASE_REPLICA_URL && !set.DATABASE_URL) {
    throw new WrongSetting('DATABASE_URL is missing: DATABASE_REPLICA_URL is set without it.');
  }
  const ethereum = readEthereum(set);
  const host = isIPv6(set.HOST) ? `[${set.HOST}]` : set.HOST;
  const baseUrl = (set.BASE_URL ?? `http://${host}:${set.PORT}`).replace(/\/+$/, '');
  return {
    oidc: readOidc(set),
    host: set.HOST,
    port: set.PORT,
    baseUrl,
    hasBaseUrl: set.BASE_URL !== undefined,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    replicaUrl: set.DATABASE_REPLICA_URL,
    eventStore: readEventStore(set),
    elasticsearch: readElasticsearch(set),
    kafka: readKafka(set),
    ethereum,
    erc8004: readErc8004(set, ethereum),
    embeddings:
      set.EMBEDDINGS_URL && set.EMBEDDINGS_MODEL
        ? { url: set.EMBEDDINGS_URL, model: set.EMBEDDINGS_MODEL, apiKey: set.EMBEDDINGS_API_KEY }
        : undefined,
    searchArms: set.SEARCH_ARMS.includes(',')
      ? ['dense', 'keyword']
      : [set.SEARCH_ARMS === 'dense' ? 'dense' : 'keyword'],
    owner: { email: set.OWNER_EMAIL, password: set.OWNER_PASSWORD },
    bootstrapApiKey: set.BOOTSTRAP_API_KEY,
    operators: set.OPERATORS ?? null,
    anchorIntervalMs: set.ANCHOR_INTERVAL,
    calendars: set.OTS_CALENDARS,
    witnesses: set.WITNESSES,
    bitcoinHeaders: set.BITCOIN_HEADERS,
    rateLimits: set.RATE_LIMITS === 'on',
    terminalGating: set.TERMINAL_GATING === 'on',
    smtp: readSmtp(set.SMTP_URL, set.SMTP_FROM, baseUrl),
    memoryApi: set.MEMORY_API === 'on',
    acceptClock: false,
    allowPrivateUrls: set.ALLOW_PRIVATE_URLS === '1',
    clientMetadataDocuments: (set.OAUTH_CLIENT_METADATA ?? (isSecure(set.BASE_URL) ? 'on' : 'off')) === 'on',
    vendorPlatforms: set.VENDOR_PLATFORMS,
    roles: set.ROLES,
    trustProxy: set.TRUST_PROXY,
    searchFetch: set.MCP_SEARCH_FETCH === 'on',
    mcpIcons: set.MCP_ICONS === 'on',
    mcpAllowedOrigins: set.MCP_ALLOWED_ORIGINS,
    corsOrigins: set.CORS_ORIGINS,
    logLevel: set.LOG_LEVEL,
  };
}

const isSecure = (baseUrl: string | undefined): boolean => baseUrl?.startsWith('https:') ?? false;

/** @throws WrongSetting when only some of the three are set */
function readOidc(set: z.output<typeof settings>): OidcSetting | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = set;
  const assumesVerified = set.OIDC_EMAIL_VERIFIED === 'assumed';
  if (issuer && clientId && clientSecret) return { issuer, clientId, clientSecret, assumesVerified };
  const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 3) return undefined;
  throw new WrongSetting(`${missing.join(' and ')} missing: sign-in with OpenID Connect needs all three settings.`);
}
