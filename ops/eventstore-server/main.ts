import { parseArgs } from 'node:util';
import { openStore } from './file.js';
import { startEventStore } from './server.js';
import { createStore } from './store.js';

/**
 * The server as a process of its own: `node dist/ops/eventstore-server/main.js [--file FILE] [--port PORT]`. It prints one
 * line, `EVENTSTORE_URL=…`, when it serves. With a file its streams are there again after it was killed.
 */
const { values } = parseArgs({ options: { file: { type: 'string' }, port: { type: 'string', default: '0' } } });
const opened = values.file === undefined ? undefined : openStore(values.file);
const server = await startEventStore({ store: opened?.store ?? createStore(), port: Number(values.port) });
console.log(`EVENTSTORE_URL=${server.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.stop().then(() => {
      opened?.close();
      process.exit(0);
    });
  });
}
