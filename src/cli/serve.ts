import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import pino from 'pino';
import { DirectoryInUse } from '../adapters/database/directory-lock.js';
import { MigrationError } from '../adapters/database/migrate.js';
import { UnusableDirectory } from '../adapters/private-directory.js';
import { type App, createApp, openStore } from '../app.js';
import { type Config, readConfig, WrongSetting } from '../config.js';
import { realWorld } from '../world.js';
import { serveControl } from './control.js';

/** Starts the service and keeps it until SIGTERM or SIGINT. */
export async function serve(): Promise<void> {
  try {
    if (existsSync('.env')) loadEnvFile('.env');
    const config = readConfig(process.env);
    await start(config);
  } catch (error) {
    // Mistakes of the one who starts it get a sentence; everything else its stack, because it is ours.
    const expected = [WrongSetting, DirectoryInUse, UnusableDirectory, MigrationError].some(
      (kind) => error instanceof kind,
    );
    console.error(expected && error instanceof Error ? `counterfoil: ${error.message}` : error);
    process.exit(1);
  }
}

async function start(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 1, sync: false }));
  const app = await createApp(config, realWorld, log, await openStore(config));
  // The embedded store lets one process in; commands that need it while it is in use are asked of this one.
  const control = config.databaseUrl ? null : await serveControl(config.dataDir, app.maintenance);
  stopOnSignals(async () => {
    await control?.close();
    await app.close();
  });
  await app.server.listen({ host: config.host, port: config.port });
  const address = app.server.listeningOrigin;
  if (app.generated) announce(app.generated, address);
  console.error(`Counterfoil listens on ${address}`);
}

/** Requests in flight end, workers stop at a safe point; what hangs is given up after 9 s, which loses nothing. */
function stopOnSignals(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), 9000).unref();
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** To the terminal and nowhere else: this is the only time that these secrets are seen. */
function announce(generated: NonNullable<App['generated']>, address: string): void {
  const lines = ['', 'A new store was made. Keep what follows; it is shown this once.', ''];
  lines.push(`  owner     ${generated.ownerEmail}`);
  if (generated.ownerPassword) lines.push(`  password  ${generated.ownerPassword}`);
  if (generated.apiKey) lines.push(`  API key   ${generated.apiKey}`);
  lines.push('', 'Try it:', '');
  lines.push(`  export KEY=${generated.apiKey ?? 'the BOOTSTRAP_API_KEY you set'}`);
  lines.push(`  curl -s ${address}/v1/memories -H "authorization: Bearer $KEY" \\`);
  lines.push(`    -d '{"content": "Ada prefers tea in the morning."}'`, '');
  console.error(lines.join('\n'));
}
