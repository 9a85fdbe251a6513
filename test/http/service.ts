import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type App, createApp, openStore } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { realWorld, type World } from '../../src/world.js';

export const apiKey = 'ak_test00000000000000000000000000000';

/** The service in this process on a store of its own, spoken to as any client would. */
export interface Service {
  readonly app: App;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Waits until every job has ended. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, whatever its shape, and says what it must be
  readonly json: any;
}

/** @param env may name a DATA_DIR, which then is left as it is when the service stops */
export async function startService(env: Record<string, string> = {}, world: World = realWorld): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  const config = readConfig({
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
    BOOTSTRAP_API_KEY: apiKey,
    RATE_LIMITS: 'off',
    OTS_CALENDARS: 'off',
    ...env,
  });
  const log = pino({ level: 'error' });
  const app = await createApp(config, world, log, await openStore(config));
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  const origin = app.server.listeningOrigin;
  const call: Service['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : null };
  };
  return {
    app,
    call,
    async settled() {
      for (let tries = 0; tries < 600; tries += 1) {
        const { json } = await call('GET', '/v1/ingest?stage=queued,extracting,chunking,embedding,indexing&limit=1');
        if (json.data.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error('the pipeline does not come to an end');
    },
    async stop() {
      await app.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
