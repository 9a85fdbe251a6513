import { parseArgs } from 'node:util';
import { openStore } from './file.js';
import { startEventStore } from './server.js';
import { createStore } from './store.js';

/**
 * The server as a process of its own: `node dist/test/support/eventstore-server/main.js [--file FILE] [--port PORT]`. It prints one
 * line, `EVENTSTORE_URL=…`, when it serves. With a file its streams are there again after it was killed.
 *
 * `SIGUSR2` makes it a leader that is cut off from the other nodes: its writes are in no other log, so none is acknowledged. With the
 * next `SIGUSR2` it meets the other nodes again, and ends itself with 0, as such a leader does, to begin without those writes.
 */
const { values } = parseArgs({ options: { file: { type: 'string' }, port: { type: 'string', default: '0' } } });
const opened = values.file === undefined ? undefined : openStore(values.file);
const server = await startEventStore({ store: opened?.store ?? createStore(), port: Number(values.port) });
console.log(`EVENTSTORE_URL=${server.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.shutDown().then(() => {
      opened?.close();
      process.exit(0);
    });
  });
}

process.once('SIGUSR2', () => {
  server.fail({ onAppend: () => 'timeout' });
  process.once('SIGUSR2', () => process.exit(0));
});
