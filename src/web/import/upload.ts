import { charsetOf, digestOf, keyOf, type Named, NoText, survey, textsOf } from './read.js';
import type { Request, Sent } from './send.js';
import { memoryBytes } from './split.js';

/** The most bytes of a text that is cut into parts, and of a file that is sent as it is: 200 and 5 MB in either meaning. */
export const most = { text: 200 * 1024 * 1024, whole: 5 * 1024 * 1024 };

/** A file on its way, and what has become of each of its parts. */
export interface Upload extends Named {
  readonly namespace: string;
  state: 'waits' | 'is read' | 'is sent' | 'done' | 'refused' | 'held';
  parts: number;
  /** The parts that the service has acknowledged, by their number. */
  readonly stored: Map<number, Extract<Sent, { is: 'stored' | 'blank' }>>;
  readonly refused: Map<number, string>;
  /** Approvals of parts that a rule holds. */
  readonly held: Map<number, string>;
  /** Why the file is not sent at all. */
  fault: string;
}

export function uploadOf({ name, file }: Named, namespace: string): Upload {
  const own = { stored: new Map(), refused: new Map(), held: new Map() };
  return { name, file, namespace, state: 'waits', parts: 0, fault: '', ...own };
}

export interface Task extends Request {
  readonly upload: Upload;
  readonly part: number;
}

/** The requests for the parts of a file that are not acknowledged yet, in order. */
export async function* tasksOf(upload: Upload, changed: () => void): AsyncGenerator<Task> {
  upload.state = 'is read';
  upload.refused.clear();
  changed();
  try {
    yield* (await isSplit(upload)) ? splitTasks(upload, changed) : wholeTask(upload, changed);
  } catch (error) {
    // A file that was moved or changed while it was read cannot be read any more.
    upload.state = 'refused';
    upload.fault = error instanceof NoText ? error.message : 'The browser cannot read it. Was it moved or changed?';
    changed();
  }
}

/**
 * Whether a file is a text of more than one part. Characters of UTF-16 may take half as many bytes again in UTF-8.
 * @throws NoText for a file that is too large, or of a kind that the service takes only whole
 */
async function isSplit({ name, file }: Upload): Promise<boolean> {
  if (file.size === 0) throw new NoText('It is empty.');
  const start = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  const mayGrow = charsetOf(start) === 'utf-8' ? 1 : 1.5;
  const isPdf =
    /\.pdf$/i.test(name) ||
    file.type === 'application/pdf' ||
    new TextDecoder('latin1').decode(start).startsWith('%PDF-');
  const isOnlyWhole = isPdf || /\.(x?html?|xht|eml|mbox|mht|mhtml)$/i.test(name) || file.type === 'text/html';
  if (isOnlyWhole && file.size > most.whole)
    throw new NoText(`${isPdf ? 'A PDF' : 'A file of this kind'} may have 5 MB at most. Split it, or save its text.`);
  if (file.size > most.text) throw new NoText('It is over 200 MB. Split it first.');
  return !isOnlyWhole && file.size * mayGrow > memoryBytes;
}

async function* splitTasks(upload: Upload, changed: () => void): AsyncGenerator<Task> {
  const { name: file, namespace } = upload;
  const { digest, parts } = await survey(upload);
  upload.parts = parts;
  upload.state = 'is sent';
  changed();
  let part = 0;
  for await (const content of textsOf(upload)) {
    part += 1;
    if (upload.stored.has(part)) continue;
    const metadata = { file, part, parts };
    const text = { kind: 'text', content, source: 'import:file', metadata, ...where(upload, part) };
    yield { upload, part, body: JSON.stringify(text), key: keyOf(digest, part, namespace) };
  }
}

async function* wholeTask(upload: Upload, changed: () => void): AsyncGenerator<Task> {
  const { name: filename, file, namespace } = upload;
  const digest = await digestOf(upload);
  upload.parts = 1;
  upload.state = 'is sent';
  changed();
  if (upload.stored.has(1)) return;
  const type = file.type === '' ? {} : { content_type: file.type };
  const data_base64 = await base64Of(file);
  const body = JSON.stringify({ kind: 'file', filename, ...type, data_base64, ...where(upload, 1) });
  yield { upload, part: 1, body, key: keyOf(digest, 0, namespace) };
}

function where({ namespace, held }: Upload, part: number): object {
  const approval_id = held.get(part);
  return { ...(namespace !== '' && { namespace }), ...(approval_id !== undefined && { approval_id }) };
}

async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** Notes the answer to a task. */
export function note({ upload, part }: Task, sent: Sent): void {
  if (sent.is === 'refused') upload.refused.set(part, sent.sentence);
  if (sent.is === 'held') upload.held.set(part, sent.approval);
  if (sent.is === 'stored' || sent.is === 'blank') {
    upload.stored.set(part, sent);
    upload.held.delete(part);
  }
  if (upload.stored.size + upload.refused.size + upload.held.size < upload.parts) return;
  upload.state = upload.held.size > 0 ? 'held' : upload.refused.size > 0 ? 'refused' : 'done';
}
