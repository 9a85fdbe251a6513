import type { IndexableText } from '../../contracts/entries/indexable.js';
import type { Stage } from '../../contracts/memory.js';
import type { Searched } from '../../projections/search/queries.js';
import type { Budget } from '../base/budget.js';
import type { World } from '../base/world.js';
import type { CheckAttestations } from '../commands/check-attestations.js';
import type { Erc8004 } from '../commands/erc8004-consent.js';
import type { Imports } from '../commands/imports.js';
import type { OperatingProcess } from '../commands/operation-jobs.js';
import type { People } from '../commands/people.js';
import type { RedactTexts } from '../commands/prepare-tasks.js';
import type { Proofs } from '../commands/proofs.js';
import type { Prove } from '../commands/prove.js';
import type { RecordSpans } from '../commands/record-spans.js';
import type { Run } from '../commands/run.js';
import type { Search } from '../commands/search.js';
import type { FindSimilar } from '../commands/similar.js';
import type { Vault } from '../commands/vault.js';
import type { ReadTarget } from '../commands/webhooks.js';
import type { Transaction } from '../database/database.js';
import type { Cursors } from '../domain/cursor.js';
import type { ReadTraces } from '../domain/otlp/export.js';
import type { PublicTags } from '../domain/public-tags.js';
import type { Queue } from '../domain/queue.js';
import type { JsonObject, RefusedJson } from '../domain/read-json.js';
import type { RedactedWriting, Writing as Texts } from '../domain/redaction/writing.js';
import type { KafkaSecrets } from '../domain/secrets.js';
import type { RefusedTasks } from '../domain/task/refused.js';
import type { SentDigest, SubmittedTask } from '../domain/task/submitted.js';
import type { LogFiles } from '../tlog/files.js';
import type { Checked, Checking } from '../verifier/verify.js';
import type { SignInAttempt } from './answer.js';
import type { MarketView } from './feeds/view.js';
import type { RateLimits } from './rate-limits.js';
import type { RequestKeys } from './request-keys.js';
import type { Operators } from './service/operators.js';
import type { ServiceState } from './service/service-state.js';
import type { ProviderProblem } from './session/provider-problems.js';
import type { Passwords, Sessions, SignInAttempts } from './session/sessions.js';
import type { Streams } from './terminal/streams.js';

/**
 * The services that operations use, in groups by who uses them; `src/wiring/services.ts` makes them. A handler takes the groups that
 * it needs, so its first line says whether it reads, writes, or signs someone in, and a helper asks for a group or a part of it.
 */
export interface Services {
  readonly reading: ForReading;
  readonly writing: ForWriting;
  readonly memories: ForMemories;
  readonly receipts: ForReceipts;
  readonly access: ForAccess;
  readonly service: ForService;
}

/** For every operation that shows what is stored. */
export interface ForReading {
  /** One consistent look at the read models. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * One look at what belongs to a workspace, for lists. A replica of the database may answer; it has everything that was
   * committed before the call. `work` may run a second time.
   */
  readList<T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Checks texts against their commitments before they are shown. */
  readonly vault: Vault;
  readonly cursors: Cursors;
  /** The time by which something is shown as ended or not. */
  now(): Date;
  /** For answers that may be large, such as pages of exports. @throws Refusal rate_limited */
  readonly largeAnswers: Queue;
}

/** For every operation that changes something. */
export interface ForWriting {
  readonly world: World;
  readonly run: Run;
  /** A change of rows that are progress and not history, such as jobs. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  readonly requestKeys: RequestKeys;
  /**
   * Reads a body as a JSON object, a large one in a thread. @throws Refusal rate_limited, not_ready
   * @param owner whose work it is, here and below: see `ownerOf`
   */
  readJson(owner: string, body: Uint8Array): Promise<JsonObject | RefusedJson>;
  readonly readTarget: ReadTarget;
  /** Wakes the worker that sends deliveries, so that it does not wait for its next look. */
  wakeDeliveries(): void;
}

/** For operations of memories, and of what changes many of them. */
export interface ForMemories {
  readonly search: Search;
  readonly findSimilar: FindSimilar;
  /** Finds the memories that a query may be about. */
  readonly searched: Searched;
  /** Measures and cuts texts in tokens. */
  readonly budget: Budget;
  /** Removes sensitive values from the texts of a caller. @throws Refusal rate_limited */
  redact(owner: string, texts: Texts): Promise<RedactedWriting>;
  readonly imports: Imports;
  /** Waits until nothing of these deleted memories is left in the search index; of very much for 20 seconds only. */
  removed(memoryIds: readonly string[]): Promise<void>;
  /** Waits for 2 seconds at most until the search engine has confirmed that it holds nothing of these deleted memories. */
  erased(memoryIds: readonly string[]): Promise<boolean>;
  /** Wakes the worker that makes memories searchable, so that it does not wait for its next look. */
  wakePipeline(): void;
  /** Makes what the search index has of a text, for a memory that is indexed with its append; null where a job indexes it. */
  forIndex(content: string): Promise<IndexableText | null>;
  /** Wakes the worker that finds the webhooks of memories that were indexed with their append. */
  wakeAdmissions(): void;
  readonly jobWaits: {
    /**
     * Waits until an ingest job has ended, for this time at most.
     * @returns its stage then; null where it is not known, or where as many requests wait as may
     */
    until(jobId: string, ms: number, signal: AbortSignal): Promise<Stage | null>;
  };
}

/** For operations that take receipts of tasks and spans, and for those that prove receipts. */
export interface ForReceipts {
  /** Reads a body of one or several task receipts, a large one in a thread. @throws Refusal rate_limited, not_ready */
  readTasks(owner: string, body: Uint8Array, now: Date): Promise<readonly SubmittedTask[] | RefusedTasks>;
  /** Reads an export of OpenTelemetry spans, a large one in a thread. */
  readonly readTraces: ReadTraces;
  readonly recordSpans: RecordSpans;
  /** The answer to an export of spans in protobuf. */
  encodeTracesAnswer(rejectedSpans: number, errorMessage: string): Uint8Array;
  /** Checks the attestations of task receipts beside the main thread. */
  readonly checkAttestations: CheckAttestations;
  readonly redactTexts: RedactTexts;
  readonly tags: PublicTags;
  readonly sentDigest: SentDigest;
  readonly prove: Prove;
  /** The files of the public log. */
  readonly logFiles: LogFiles;
  readonly checkBundle: CheckBundle;
}

/** For operations about who a caller is: sign-in, people, keys, identities of agents. */
export interface ForAccess {
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  /** Changes that concern a person in all workspaces. */
  readonly people: People;
  readonly operators: Operators;
  readonly signInAttempts: SignInAttempts;
  /** Null where no OpenID Connect provider is set. */
  readonly providerSignIn: ProviderSignIn | null;
  readonly kafkaSecrets: KafkaSecrets;
  /** For limits that a handler applies itself. */
  readonly rateLimits: Pick<RateLimits, 'address' | 'giveBack' | 'writes'>;
  /** Checks that keys of identities are held. */
  readonly proofs: Proofs;
  /** The agents of ERC-8004 that can be linked; null where no registries are set. */
  readonly erc8004: Erc8004 | null;
}

/** For operations that show the service as a whole: its addresses, its state, its public figures. */
export interface ForService {
  /** The public address of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** The origin of checkpoints, as long as the log has no checkpoint that says it. */
  readonly origin: string;
  /** The version of the program. */
  readonly version: string;
  readonly health: Health;
  readonly operating: Operating;
  /** The public figures. */
  readonly feeds: MarketView;
  readonly streams: Pick<Streams, 'open'>;
  /** Whether plans limit the terminal; see the setting TERMINAL_GATING. */
  readonly terminalGating: boolean;
  readonly anchoring: Anchoring;
}

/** The public chains in which this installation anchors its log; see the settings OTS_CALENDARS and ETH_RPC_URL. */
export interface Anchoring {
  readonly bitcoin: boolean;
  readonly ethereum: boolean;
}

/** Checks a bundle for a client, beside the main thread. @throws Refusal rate_limited, not_ready */
export type CheckBundle = (client: string, checking: Checking) => Promise<Checked>;

/** The jobs that operators start. */
export interface Operating {
  /** The names that a replay takes. */
  readonly readModels: readonly string[];
  readonly process: OperatingProcess;
  /** Wakes the workers that carry them out, so that they do not wait for their next look. */
  wake(): void;
}

/** How the service is, for the people who run it; worked out by the app. */
export interface Health {
  /** Names of what is missing before a write can be taken; empty when the service is ready. */
  missing(): Promise<readonly string[]>;
  /** Sentences about problems that need the operator although writes are accepted. They do not name files. */
  warnings(): Promise<readonly string[]>;
  state(): Promise<ServiceState>;
  /** In the text format of Prometheus. */
  metrics(): Promise<string>;
}

interface Unsigned {
  readonly problem: ProviderProblem;
}

/** Signs people in on the statement of an OpenID Connect provider. */
export interface ProviderSignIn {
  /** @returns where to send the browser, and what it must come back with */
  begin(): Promise<{ readonly location: string; readonly attempt: SignInAttempt } | Unsigned>;
  /**
   * @param attempt what the browser has come back with
   * @returns the e-mail address that the provider has verified
   */
  verifiedEmail(attempt: SignInAttempt, query: string): Promise<{ readonly email: string } | Unsigned>;
  /** Where the browser goes once the person is signed in, unless a page has begun the sign-in. */
  readonly home: string;
  /** The host of the provider, by which people know it. */
  readonly name: string;
}
