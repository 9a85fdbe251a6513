import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { openStreams } from '../../../src/adapters/eventstore/streams.js';
import { packageRoot } from '../../../src/base/package-root.js';
import { startEventStore } from '../../support/eventstore-server/server.js';

/** Begins an append of which the last event never comes. */
const client = `
import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
const call = new services.StreamsClient(process.argv[1], grpc.credentials.createInsecure()).append(() => undefined);
call.on('error', () => undefined);
const write = (request) => new Promise((resolve) => call.write(request, resolve));
const options = new messages.AppendReq.Options();
const name = new shared.StreamIdentifier();
name.setStreamName(Buffer.from('half'));
options.setStreamIdentifier(name);
options.setNoStream(new shared.Empty());
const first = new messages.AppendReq();
first.setOptions(options);
await write(first);
const event = new messages.AppendReq.ProposedMessage();
const id = new shared.UUID();
id.setString(crypto.randomUUID());
event.setId(id);
event.getMetadataMap().set('type', 'x').set('content-type', 'application/octet-stream');
event.setData(Buffer.from('{}'));
const second = new messages.AppendReq();
second.setProposedMessage(event);
await write(second);
// Without this time the server might not have them when the process is killed.
setTimeout(() => console.log('sent'), 300);
setInterval(() => undefined, 1000);
`;

it('an append whose process is killed before all of its events were sent stores none of them', async () => {
  const server = await startEventStore();
  const args = ['--input-type=module', '-e', client, '--', `127.0.0.1:${server.port}`];
  const child = spawn(process.execPath, args, { cwd: packageRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const streams = openStreams(server.url);
  // The server has seen the end of the other connection when it has taken an append of a new one.
  const event = { id: crypto.randomUUID(), type: 'x', data: Buffer.from('{}'), metadata: {} };
  expect(await streams.append('whole', null, [event])).toBe('appended');
  expect(server.store.all.map(({ stream }) => stream)).toEqual(['whole']);
  await streams.close();
  await server.stop();
});
