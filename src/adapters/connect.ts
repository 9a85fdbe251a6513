import { createConnection, type Socket } from 'node:net';
import { DeadlinePassed, withDeadline } from '../base/deadline.js';

/** How long one address may take while others are left to try. A handshake of TCP around the world takes a third of a second. */
const attemptMs = 2000;
/** A name may have thousands of addresses, and one request must not knock at all of them. */
const mostAttempts = 16;

/**
 * Connects to the first of the addresses that accepts a connection, in their order.
 * @param addresses IP addresses; at least one
 * @throws the error of the last attempt
 */
export async function connectToFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const tried = addresses.slice(0, mostAttempts);
  let failure: unknown = new Error('there is no address');
  for (const [at, address] of tried.entries()) {
    try {
      if (at === tried.length - 1) return await connectTo(address, port, signal);
      return await withDeadline(attemptMs, (ending) => connectTo(address, port, ending), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      failure = error instanceof DeadlinePassed ? new Error('it does not accept the connection') : error;
    }
  }
  throw failure;
}

function connectTo(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port, signal });
    socket.once('error', reject);
    // The socket of an aborted attempt may be closed without an error.
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once('connect', () => resolve(socket));
  });
}
