import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../../contracts/errors.js';
import { newRequestId, requestIdHeader } from './reply.js';
import { mostUnread } from './unread-body.js';

/** Answers what is no HTTP request, or none that came to its end, with a body as of every refusal, and hangs up. */
export function answerClientError(error: Error, socket: Socket): void {
  const code = 'code' in error ? error.code : undefined;
  // The caller has gone, or a part of an answer has been sent already.
  if (code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(code);
  let unread = mostUnread.bytes;
  const requestId = newRequestId();
  const body = JSON.stringify(refusal.body(requestId));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff\r\n${requestIdHeader}: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  );
  // What is still being sent is read, up to a bound: the connection would be reset otherwise, and the answer lost.
  // The parser of requests would find the same fault in it again.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Uint8Array) => {
    unread -= chunk.length;
    if (unread < 0) socket.destroy();
  });
  socket.resume();
  // A caller that never reads its answer, or never stops sending, would keep a half-closed connection.
  setTimeout(() => socket.destroy(), mostUnread.ms).unref();
}

function refusalOf(code: unknown): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large');
  return new Refusal('invalid_request', 'This is no HTTP request.');
}
