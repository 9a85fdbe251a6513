import { Unreadable } from '../../verifier/unreadable.js';
import { verifyBundle } from '../../verifier/verify.js';
import { element } from './elements.js';
import { type Headers, readHeaders, readKeys, readReceiptHash, reason } from './measures.js';
import { showFault, showReport } from './result.js';
import { fetchServiceKeys } from './service-keys.js';
import { summarize } from './summary.js';

const zone = element('zone', HTMLElement);
const bundleFile = element('bundle', HTMLInputElement);
const pasted = element('pasted', HTMLTextAreaElement);
const keys = element('keys', HTMLTextAreaElement);
const receiptHash = element('receipt-hash', HTMLInputElement);
const headersFile = element('headers', HTMLInputElement);

/** No file of either kind is larger: a larger one is refused before it is read. */
const mostBytes = 4 * 1024 * 1024;

/** What was given last. Kept, because keys, hash and headers may come after it. */
let bundle: { readonly source: string; readonly bytes: Uint8Array } | null = null;
/** How often something was given: a file that takes long to read is not shown over one that was given after it. */
let given = 0;
let headers: Headers | null = null;
let serviceKeys: readonly string[] = [];

/** Shows what the bundle comes to against everything that the reader has brought so far. */
function check(): void {
  const trusted = readKeys(keys.value);
  const expected = readReceiptHash(receiptHash.value);
  tell(keys, trusted.fault);
  tell(receiptHash, expected.fault);
  if (!bundle) return;
  try {
    const report = verifyBundle(bundle.bytes, {
      keys: trusted.value,
      // Without the reader's own headers the bundle's are looked at.
      ...(headers === null ? {} : { headers: lookUp(headers) }),
      ...(expected.value === undefined ? {} : { receiptHash: expected.value }),
    });
    const lines = keys.value.split('\n').map((line) => line.trim());
    const onlyServiceKeys = lines.every((line) => line === '' || serviceKeys.includes(line));
    showReport(bundle.source, report, summarize(report, onlyServiceKeys));
  } catch (error) {
    const what = error instanceof Unreadable ? 'This is no proof bundle' : 'This could not be checked';
    showFault(bundle.source, `${what}: ${reason(error)}.`);
  }
}

function lookUp(brought: Headers): (height: number) => Uint8Array | undefined {
  return (height) => brought.get(height);
}

function take(source: string, bytes: Uint8Array): void {
  given += 1;
  bundle = { source, bytes };
  check();
  element('result', HTMLElement).scrollIntoView({ block: 'nearest' });
}

async function takeFile(file: File): Promise<void> {
  bundle = null;
  given += 1;
  const turn = given;
  try {
    const bytes = await contentOf(file);
    if (turn === given) take(file.name, bytes);
  } catch (error) {
    if (turn === given) showFault(file.name, `This file cannot be read: ${reason(error)}.`);
  }
}

/** @throws Unreadable */
async function contentOf(file: File): Promise<Uint8Array> {
  if (file.size > mostBytes) throw new Unreadable('it is larger than 4 MiB');
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Unreadable('the browser cannot open it');
  }
}

async function takeHeaders(): Promise<void> {
  const [file] = headersFile.files ?? [];
  headers = null;
  let fault = '';
  try {
    if (file) headers = readHeaders(new TextDecoder().decode(await contentOf(file)));
  } catch (error) {
    fault = `It is not used: ${reason(error)}.`;
  }
  tell(headersFile, fault);
  check();
}

/** Puts the sentence under the field that it is about; an empty one takes it away. */
function tell(field: HTMLInputElement | HTMLTextAreaElement, fault: string): void {
  element(`${field.id}-fault`, HTMLElement).textContent = fault;
  field.setAttribute('aria-invalid', String(fault !== ''));
}

/** A bundle may be dropped anywhere; only the field for headers takes what is dropped on it. */
function takeDrops(): void {
  const isOurs = ({ target, dataTransfer }: DragEvent) =>
    target !== headersFile && dataTransfer !== null && dataTransfer.types.includes('Files');
  addEventListener('dragover', (event) => {
    // Without this a browser leaves the page and opens the file.
    if (isOurs(event)) event.preventDefault();
    zone.classList.toggle('over', isOurs(event));
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) zone.classList.remove('over');
  });
  addEventListener('drop', (event) => {
    zone.classList.remove('over');
    const [file] = event.dataTransfer?.files ?? [];
    if (!isOurs(event) || !file) return;
    event.preventDefault();
    void takeFile(file);
  });
}

async function fillKeys(): Promise<void> {
  const own = await fetchServiceKeys();
  serviceKeys = own.split('\n');
  element('keys-origin', HTMLElement).textContent = own
    ? 'Filled in with the keys that this service calls its own.'
    : 'This service has given no key.';
  // Whoever was faster than the answer has brought keys of their own.
  if (keys.value === '') keys.value = own;
  check();
}

bundleFile.addEventListener('change', () => {
  const [file] = bundleFile.files ?? [];
  if (file) void takeFile(file);
  // So that the same file, changed meanwhile, can be chosen again.
  bundleFile.value = '';
});
element('check-pasted', HTMLButtonElement).addEventListener('click', () => {
  take('the pasted text', new TextEncoder().encode(pasted.value));
});
keys.addEventListener('input', check);
receiptHash.addEventListener('input', check);
headersFile.addEventListener('change', () => void takeHeaders());
takeDrops();
void fillKeys();
