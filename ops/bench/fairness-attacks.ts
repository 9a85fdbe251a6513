import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { prose as proseOf, wrapped } from '../../test/corpus/make/pdf-draw.js';
import { pdfOf, textPdf } from '../../test/import/pdf.js';
import { handMade } from '../../test/verifier/hand-made.js';
import type { BenchService } from './service.js';
import { ask } from './sign-in.js';

/** The credentials of the workspace that attacks. */
export interface Attacker {
  readonly service: BenchService;
  readonly cookie: string;
  readonly agentKey: string;
}

/** One way to load the service. It continues until the signal, and ends its requests then. */
export interface Attack {
  readonly name: string;
  run(attacker: Attacker, signal: AbortSignal): Promise<void>;
}

/** The attacker has several addresses, because each has a limit of its own. */
const addresses = 8;
let sent = 0;

/** How long a client waits that was refused: what it takes of the processor is not what is measured. */
const refusedMs = 1000;

/** Sends a request and throws its answer away. */
async function send(
  { service }: Attacker,
  signal: AbortSignal,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  sent += 1;
  const from = { 'x-forwarded-for': `198.51.100.${sent % addresses}`, authorization: `Bearer ${service.key}` };
  const init = { method, headers: { ...from, ...headers }, signal, ...(body === undefined ? {} : { body }) };
  await fetch(`${service.origin}${path}`, init)
    .then(async (answer) => {
      await answer.arrayBuffer();
      if (answer.status >= 400) await pause(refusedMs, undefined, { signal });
    })
    .catch(() => undefined);
}

/** This number of clients at once, each of which sends its next request when the last one was answered. */
async function loops(clients: number, signal: AbortSignal, request: () => Promise<void>): Promise<void> {
  const client = async () => {
    while (!signal.aborted) await request();
  };
  await Promise.all(Array.from({ length: clients }, client));
}

const json = (value: unknown) => JSON.stringify(value);
const kept = <T>(make: () => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** 64 kB that unfold to 33 million messages without content. */
const bomb = kept(() => new Uint8Array(gzipSync(Buffer.alloc(63 * 1024 * 1024, Buffer.from([0x0a, 0x00])))));
const prose = kept(() => 'The heron is in the shallows and waits for the tide. '.repeat(18_300));
const phones = kept(() => '+44 20 7946 0958, '.repeat(58_000));
/** 20,000 pages, all with the same short text. */
const pdf = kept(() => {
  const pages = 20_000;
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>';
  const kids = Array.from({ length: pages }, (_, at) => `${5 + at} 0 R`).join(' ');
  const file = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    { bytes: Buffer.from('BT /F1 12 Tf 72 720 Td (a page) Tj ET') },
    ...Array<string>(pages).fill(page),
  ]);
  return json({ kind: 'file', filename: 'pages.pdf', data_base64: file.toString('base64') });
});

/** A book of 352 pages, each with 330 words of its own. */
const book = kept(() => {
  const pages = Array.from({ length: 352 }, (_, page) => wrapped(proseOf(330, 47 * page), 460));
  return json({ kind: 'file', filename: 'book.pdf', data_base64: textPdf(pages).toString('base64') });
});

let written = 0;
const batch = () =>
  json({
    memories: Array.from({ length: 1000 }, () => ({ content: `note ${written++} of a batch, as short as notes are` })),
  });

const actions = () =>
  Array.from({ length: 50 }, () => ({ kind: 'memory', content: `action ${written++} of a batch over MCP` }));
const messages = () =>
  json(
    Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'record_action_batch', arguments: { actions: actions() } },
    })),
  );

/** Webhooks at a receiver that takes requests and never answers, and memories that it hears of. */
async function hangingWebhooks(attacker: Attacker, signal: AbortSignal): Promise<void> {
  const receiver = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const address = z.object({ port: z.number() }).parse(receiver.address());
  for (let n = 0; n < 20; n += 1) {
    const hook = { url: `http://127.0.0.1:${address.port}/${n}`, pattern: { source: 'hooks' } };
    await send(attacker, signal, 'POST', '/v1/webhooks', json(hook), { 'x-service-agent': `agn_${'b'.repeat(32)}` });
  }
  const note = () => json({ content: `note ${written++} for webhooks`, source: 'hooks' });
  await loops(4, signal, () => send(attacker, signal, 'POST', '/v1/memories', note()));
  receiver.closeAllConnections();
  receiver.close();
}

export const attacks: readonly Attack[] = [
  {
    name: 'OTLP bombs',
    run: (attacker, signal) =>
      loops(8, signal, () =>
        send(attacker, signal, 'POST', '/v1/otlp/v1/traces', bomb(), {
          'content-type': 'application/x-protobuf',
          'content-encoding': 'gzip',
        }),
      ),
  },
  {
    name: '5 memories of 1 MiB',
    run: async (attacker, signal) => {
      const texts = Array.from({ length: 5 }, () => json({ content: `${written++} ${prose()}` }));
      await Promise.all(texts.map((text) => send(attacker, signal, 'POST', '/v1/memories', text)));
    },
  },
  {
    name: '2 batches of 1,000 writes',
    run: async (attacker, signal) => {
      await Promise.all([1, 2].map(() => send(attacker, signal, 'POST', '/v1/memories/batch', batch())));
    },
  },
  {
    name: '50 imports of 20,000 pages',
    run: async (attacker, signal) => {
      await Promise.all(Array.from({ length: 50 }, () => send(attacker, signal, 'POST', '/v1/ingest', pdf())));
    },
  },
  {
    name: '14 books of 352 pages',
    run: (attacker, signal) => loops(14, signal, () => send(attacker, signal, 'POST', '/v1/ingest', book())),
  },
  {
    name: 'exports',
    run: (attacker, signal) => loops(20, signal, () => send(attacker, signal, 'GET', '/v1/memories/export?limit=1000')),
  },
  {
    name: '1,000 streams of the terminal',
    run: async (attacker, signal) => {
      const noOne = { authorization: '' };
      const open = () => send(attacker, signal, 'GET', '/v1/terminal/stream', undefined, noOne);
      await Promise.all(Array.from({ length: 1000 }, open));
    },
  },
  {
    name: 'verification',
    run: async (attacker, signal) => {
      const worst = new Uint8Array(await handMade({ entryText: 500_000, contentBytes: 1_048_576 }));
      await loops(32, signal, () => send(attacker, signal, 'POST', '/v1/receipts/verify', worst));
    },
  },
  {
    name: 'redaction',
    run: (attacker, signal) =>
      loops(8, signal, () =>
        send(attacker, signal, 'POST', '/v1/memories', json({ content: `${written++} ${phones()}` })),
      ),
  },
  { name: 'webhooks that hang', run: hangingWebhooks },
  {
    name: 'batches over MCP',
    run: (attacker, signal) =>
      loops(4, signal, () =>
        send(attacker, signal, 'POST', '/mcp', messages(), {
          authorization: `Bearer ${attacker.agentKey}`,
          'content-type': 'application/json',
        }),
      ),
  },
  {
    name: 'sign-ins',
    run: (attacker, signal) =>
      loops(32, signal, () => {
        const account = { email: `person-${written++}@example.org`, password: 'a guess' };
        const from = { 'x-forwarded-for': `198.18.${(written >> 8) & 255}.${written & 255}`, authorization: '' };
        return send(attacker, signal, 'POST', '/v1/session', json(account), from);
      }),
  },
  {
    name: 'feeds',
    run: (attacker, signal) =>
      loops(32, signal, () => send(attacker, signal, 'GET', `/v1/discovery?capability=C${written++}.X`)),
  },
];

/** An agent key of the workspace whose owner has this session. */
export async function newAgentKey(service: BenchService, cookie: string): Promise<string> {
  const link = await ask(service, 'POST', '/v1/agents', { cookie }, { agent_id: `agn_${'b'.repeat(32)}` });
  const { id } = z.object({ id: z.string() }).parse(link);
  const made = await ask(service, 'POST', `/v1/agents/${id}/keys`, { cookie }, { name: 'bench' });
  return z.object({ key: z.string() }).parse(made).key;
}
