import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { packageRoot } from '../base/package-root.js';
import { addressOf } from '../pages/frame/files.js';
import { formWhileStarting, retrySeconds, startingPage } from '../pages/frame/starting.js';
import { pageHeaders } from './page-headers.js';
import { isAddressForPeople } from './people.js';

/** The most bytes of a form that is shown again: a text of 1 MiB, of which each byte may take three in a form. */
const formBytes = 3 * 1024 * 1024 + 64 * 1024;

/**
 * Answers a browser while the service opens its store: with a page, its style, and what was typed where a form is sent.
 * @returns false for a request of a program
 */
export async function answerBrowser(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { method = '', url = '', headers } = request;
  const style = addressOf('pages.css');
  if (url === style) {
    const type = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(200, { ...type, connection: 'close' }).end(readFileSync(join(packageRoot, 'dist/web', style)));
    return true;
  }
  if (!(headers.accept ?? '').includes('text/html') || !isAddressForPeople(url)) return false;
  // The fields of a form with a file are chosen again: a file cannot be shown again anyway.
  const isForm = method === 'POST' && !(headers['content-type'] ?? '').startsWith('multipart/');
  if (!isForm) request.resume();
  const page = isForm ? formWhileStarting(url, await bodyOf(request)) : startingPage(url);
  if (page === null) return false;
  const type = { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' };
  response.writeHead(503, { ...type, 'retry-after': String(retrySeconds), connection: 'close' }).end(page);
  return true;
}

/** @throws Error for a body that is longer, or ends early */
async function bodyOf(request: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > formBytes) throw new Error('the form is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
