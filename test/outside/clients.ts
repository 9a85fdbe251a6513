import { openBitcoinHeaders } from '../../src/adapters/bitcoin-headers.js';
import { type BoundedFetch, boundedFetch } from '../../src/adapters/bounded-fetch.js';
import { openCluster } from '../../src/adapters/elasticsearch/client.js';
import { openAiEmbedder } from '../../src/adapters/embeddings/openai.js';
import { openNode } from '../../src/adapters/ethereum/node.js';
import { openLogSource } from '../../src/adapters/log-source.js';
import { createSendMail } from '../../src/adapters/mail/mail.js';
import { createDocumentFetch } from '../../src/adapters/oauth/documents.js';
import { openOidcProvider } from '../../src/adapters/oidc.js';
import { calendarClient } from '../../src/adapters/opentimestamps.js';
import { type PublicFetch, publicFetch } from '../../src/adapters/public-fetch.js';
import { witnessClient } from '../../src/adapters/witness.js';
import { realWorld } from '../../src/base/world.js';
import { createImports } from '../../src/commands/imports.js';
import { verifierKey } from '../../src/verifier/note.js';
import { createSend } from '../../src/workers/send.js';
import { delivery, memory } from '../webhooks/delivery.js';

/** How a client asks others. */
export interface Means {
  readonly ask: BoundedFetch;
  readonly fetch: PublicFetch;
  /** How long clients with a limit of their own wait for a server; undefined for their usual time. */
  readonly limit: (origin: string) => number | undefined;
}

/** A part of the service that waits for others. */
export interface Client {
  readonly name: string;
  /** How many exchanges it has at the same time at most; 1 where nothing limits them. */
  readonly places: number;
  /** Its protocol. A mail server greets first, so a client of one never gets as far as asking a web server. */
  readonly speaks: 'http' | 'smtp';
  /** @returns a function that asks the server at an address, without a slash at its end */
  open(means: Means): (origin: string) => Promise<unknown>;
}

/** The means of the service, with their own time limits. */
export const usualMeans: Means = {
  ask: boundedFetch,
  fetch: publicFetch({ allowPrivate: true }),
  limit: () => undefined,
};

/** The same with a short limit for one server, so that a test is quick. */
export const hurriedAt = (origin: string, ms: number): Means => ({
  ask: (url, request) => usualMeans.ask(url, url.startsWith(origin) ? { ...request, timeoutMs: ms } : request),
  fetch: (url, request) => usualMeans.fetch(url, url.origin === origin ? { ...request, timeoutMs: ms } : request),
  limit: (asked) => (asked === origin ? ms : undefined),
});

const elasticsearch = { apiKey: undefined, ca: undefined, indexPrefix: 'p', shards: 1, replicas: 0, fallback: true };
const digest = new Uint8Array(32);
const noOne = async () => ({ kind: 'unreadable', reason: 'no one reads in this test' }) as const;

export const clients: readonly Client[] = [
  {
    name: 'webhooks',
    places: 1,
    speaks: 'http',
    open: ({ fetch }) => {
      const send = createSend(fetch, realWorld, true);
      return (origin) => send(delivery(`${origin}/hook`), memory);
    },
  },
  {
    name: 'imports by URL',
    places: 16,
    speaks: 'http',
    open: ({ fetch }) => {
      const imports = createImports({ fetch, extractor: { read: noOne, close: async () => undefined } });
      return (origin) => imports({ kind: 'url', text: origin, url: new URL(origin) }, 'w');
    },
  },
  {
    name: 'metadata documents of OAuth clients',
    places: 8,
    speaks: 'http',
    open: ({ fetch }) => {
      const fetchDocument = createDocumentFetch(fetch);
      return (origin) => fetchDocument(`${origin}/client.json`, {});
    },
  },
  {
    name: 'an embeddings server',
    places: 1,
    speaks: 'http',
    open:
      ({ ask }) =>
      (origin) =>
        openAiEmbedder({ url: origin, model: 'm', apiKey: undefined }, undefined, ask).query('a text', new Map()),
  },
  {
    name: 'a calendar of OpenTimestamps',
    places: 1,
    speaks: 'http',
    open:
      ({ ask }) =>
      (origin) =>
        calendarClient({ calendars: [origin], random: realWorld.random, ask }).stamp(digest, 1),
  },
  {
    name: 'a witness',
    places: 1,
    speaks: 'http',
    open: ({ ask }) => {
      const key = verifierKey('w.example.org', 'cosignature/v1', digest);
      const text = `log.example.org\n1\n${Buffer.from(digest).toString('base64')}\n`;
      const note = { text, signatures: [{ name: 'log.example.org', keyId: '00000000', signature: digest }] };
      return (url) => witnessClient({ key, url }, undefined, ask).cosign({ note, size: 1, proofFrom: async () => [] });
    },
  },
  {
    name: 'a node of Ethereum',
    places: 1,
    speaks: 'http',
    open:
      ({ ask }) =>
      (origin) =>
        openNode(origin, undefined, ask).chainId(),
  },
  {
    name: 'a provider of sign-ins',
    places: 1,
    speaks: 'http',
    open: ({ ask }) => {
      const about = (issuer: string) => ({ issuer, clientId: 'c', clientSecret: 's', assumesVerified: false });
      return (origin) => openOidcProvider(about(origin), 'http://127.0.0.1/back', ask).begin();
    },
  },
  {
    name: 'a source of Bitcoin headers',
    places: 1,
    speaks: 'http',
    open:
      ({ ask }) =>
      async (origin) =>
        (await openBitcoinHeaders(origin, { ask })).header(1),
  },
  {
    name: 'a log that is audited',
    places: 1,
    speaks: 'http',
    open:
      ({ limit }) =>
      (origin) => {
        const ms = limit(origin);
        return openLogSource(origin, ms === undefined ? {} : { timeoutMs: ms }).checkpoint();
      },
  },
  {
    name: 'Elasticsearch',
    places: 1,
    speaks: 'http',
    open:
      ({ limit }) =>
      async (origin) => {
        const ms = limit(origin);
        const cluster = openCluster({ ...elasticsearch, url: origin });
        try {
          return await cluster.ask((client) => client.info({}, ms === undefined ? {} : { requestTimeout: ms }));
        } finally {
          await cluster.close();
        }
      },
  },
  {
    name: 'a mail server',
    places: 1,
    speaks: 'smtp',
    open: ({ limit }) => {
      const from = { name: '', address: 'a@b.example' };
      const mail = { to: 'c@d.example', subject: 's', text: 't', id: 'i', date: new Date(0) };
      return (origin) => {
        const ms = limit(origin);
        const url = origin.replace('https:', 'smtps:').replace('http:', 'smtp:');
        return createSendMail({ url, from }, ms === undefined ? {} : { phaseMs: ms, deadlineMs: ms })(mail);
      };
    },
  },
];
