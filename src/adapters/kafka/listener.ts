import { randomInt } from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';
import { speaksTls } from '../speaks-tls.js';

/** How a listener of a broker answers to a client that has presented nothing yet. */
interface Listener {
  /** The mechanisms of SASL, of which a client must use one; null when it takes no user and password. */
  readonly mechanisms: readonly string[] | null;
}

const waitMs = 2000;
const handshake = { key: 17, version: 1 };
/** The code of the error of a listener without SASL. */
const illegalSaslState = 34;
const longestAnswer = 64 * 1024;

/**
 * Asks a listener which mechanisms of SASL it has: a request that every listener answers, and that holds no secret. A broker closes a
 * connection that speaks TLS when it should not, or the other way round, without any reason.
 * @param secure the certificates of the client; undefined asks without TLS. The broker's own certificate is not looked at.
 * @returns null when the listener does not answer in this way
 */
export async function askListener(
  broker: string,
  secure: tls.SecureContextOptions | undefined,
): Promise<Listener | null> {
  const id = randomInt(2 ** 31);
  const socket = connect(broker, secure);
  socket.once(secure ? 'secureConnect' : 'connect', () => socket.write(requestOf(id)));
  return readAnswer(await received(socket), id);
}

/** Whether a listener speaks TLS. */
export function isSecure(broker: string): Promise<boolean> {
  const { host, port } = addressOf(broker);
  return speaksTls(host, port);
}

function connect(broker: string, secure: tls.SecureContextOptions | undefined): net.Socket {
  const address = addressOf(broker);
  return secure ? tls.connect({ ...secure, ...address, rejectUnauthorized: false }) : net.connect(address);
}

function addressOf(broker: string): { readonly host: string; readonly port: number } {
  const at = broker.lastIndexOf(':');
  return { host: broker.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(broker.slice(at + 1)) };
}

/** The bytes that come on a connection until an answer is complete, the connection ends, or it has taken too long. */
function received(socket: net.Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(), waitMs);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(bytes);
    });
    socket.on('data', (data: Buffer) => {
      bytes = Buffer.concat([bytes, data]);
      const size = bytes.length < 4 ? longestAnswer : bytes.readInt32BE(0);
      if (bytes.length >= Math.min(size, longestAnswer) + 4) socket.destroy();
    });
  });
}

function requestOf(id: number): Buffer {
  const text = (value: string) => Buffer.concat([int16(value.length), Buffer.from(value, 'latin1')]);
  const body = Buffer.concat([
    int16(handshake.key),
    int16(handshake.version),
    int32(id),
    text('counterfoil'),
    text('-'),
  ]);
  return Buffer.concat([int32(body.length), body]);
}

/** Size, id of the request, code of an error, number of mechanisms, and each of them behind its length. */
function readAnswer(answer: Buffer, id: number): Listener | null {
  if (answer.length < 10 || answer.readInt32BE(4) !== id) return null;
  if (answer.readInt16BE(8) === illegalSaslState) return { mechanisms: null };
  const mechanisms: string[] = [];
  for (let at = 14; at + 2 <= answer.length; ) {
    const end = at + 2 + answer.readInt16BE(at);
    mechanisms.push(answer.toString('latin1', at + 2, end));
    at = Math.max(end, at + 2);
  }
  return { mechanisms };
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
