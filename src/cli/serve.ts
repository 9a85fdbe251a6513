import { setFlagsFromString } from 'node:v8';
import pino from 'pino';
import { loggedError } from '../adapters/logged-error.js';
import { openDescriptor, serviceLog } from '../adapters/service-log.js';
import { realWorld } from '../base/world.js';
import type { Config } from '../settings/config.js';
import { type App, createApp } from '../wiring/app.js';
import { checkSettings } from '../wiring/start/open-headers.js';
import { serveControl } from './control.js';
import { holdPort } from './port.js';
import { readSettings } from './settings.js';
import { isSentence, openStoreWhenThere, whyNotListening } from './start-faults.js';
import { stopOnSignals } from './stop.js';

export interface ServeOptions {
  readonly acceptClock?: boolean;
}

/** Starts the service and runs it until a signal ends it. */
export async function serve({ acceptClock = false }: ServeOptions): Promise<void> {
  try {
    await start({ ...readSettings(), acceptClock });
  } catch (error) {
    // A mistake of the operator is reported as a sentence. Any other error is a fault of the service and is shown with
    // its stack.
    console.error(isSentence(error) ? `counterfoil: ${error.message}` : error);
    process.exit(1);
  }
}

/**
 * The growth of the JavaScript heap, in percent, after which garbage is collected. On a machine with much memory V8's
 * default allows four times the used size: in a soak test 112 MB were in use and 384 MB were allocated. Writes are not
 * slower with this limit: 1,351 and 1,380 per second with it, 1,274 and 1,293 without it, measured alternately.
 */
const heapGrowth = 50;

async function start(config: Config): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
  const lines = serviceLog(openDescriptor(1), (sentence) => console.error(sentence));
  process.on('exit', lines.flushSync);
  const log = pino({ level: config.logLevel, serializers: { err: loggedError } }, lines);
  await checkSettings(config);
  const port = await holdPort(config.host, config.port).catch((error) => {
    throw whyNotListening(error, config);
  });
  const host = {
    on: (signal: NodeJS.Signals, listener: () => void) => process.on(signal, listener),
    exit: (code: number) => process.exit(code),
    say: (line: string) => console.error(line),
  };
  const app = await createApp(config, realWorld, log, await openStoreWhenThere(config, host.say));
  // Only one process can open the embedded store, so this process also executes the commands that need it.
  const control = config.databaseUrl ? null : await serveControl(config.dataDir, app.maintenance);
  stopOnSignals(host, async () => {
    await control?.close();
    await app.close();
  });
  app.start();
  await port.release();
  await app.server.listen({ host: config.host, port: config.port }).catch((error) => {
    throw whyNotListening(error, config);
  });
  const address = app.server.listeningOrigin;
  // Without BASE_URL a port that was free is known only now.
  if (app.generated)
    announce(app.generated, config.port === 0 ? config.baseUrl.replace(/:0$/, portOf(address)) : config.baseUrl);
  console.error(`Counterfoil listens on ${address}`);
}

const portOf = (address: string): string => `:${new URL(address).port}`;

/** Shows the generated credentials on the terminal only. They are not stored in readable form. */
function announce(generated: NonNullable<App['generated']>, address: string): void {
  const what = generated.again
    ? 'The credentials of an earlier start were never used. These replace them:'
    : 'A new store was made. Keep these credentials: after their first use they are not shown again.';
  const lines = ['', what, ''];
  lines.push(`  owner     ${generated.ownerEmail}`);
  if (generated.ownerPassword) lines.push(`  password  ${generated.ownerPassword}`);
  if (generated.apiKey) lines.push(`  API key   ${generated.apiKey}`);
  lines.push('', `Sign in at ${address}/sign-in to make keys, connect agents and decide about approvals.`);
  lines.push('', 'Try it:', '');
  lines.push(`  export KEY=${generated.apiKey ?? 'the BOOTSTRAP_API_KEY you set'}`);
  lines.push(`  curl -s ${address}/v1/memories -H "authorization: Bearer $KEY" \\`);
  lines.push(`    -d '{"content": "Ada prefers tea in the morning."}'`, '');
  console.error(lines.join('\n'));
}
