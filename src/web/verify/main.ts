import { bundleLimits } from '../../verifier/bundle.js';
import type { TrustedBlocks } from '../../verifier/ethereum/trusted-blocks.js';
import { Unreadable } from '../../verifier/unreadable.js';
import { verifyBundle } from '../../verifier/verify.js';
import { element } from '../elements.js';
import { fetchLinked, linkedBundle } from './linked.js';
import {
  type Headers,
  readBlocks,
  readContract,
  readHeaders,
  readKeys,
  readReceiptHash,
  readWitnesses,
  reason,
} from './measures.js';
import { showFault, showReport } from './result.js';
import { fetchServiceKeys } from './service-keys.js';
import { summarize } from './summary.js';

const zone = element('zone', HTMLElement);
const bundleFile = element('bundle', HTMLInputElement);
const pasted = element('pasted', HTMLTextAreaElement);
const keys = element('keys', HTMLTextAreaElement);
const receiptHash = element('receipt-hash', HTMLInputElement);
const headersFile = element('headers', HTMLInputElement);
const blocks = element('blocks', HTMLTextAreaElement);
const contract = element('contract', HTMLInputElement);
const witnesses = element('witnesses', HTMLTextAreaElement);
const quorum = element('quorum', HTMLInputElement);
const compared = element('keys-compared', HTMLInputElement);

/** A larger file of headers is refused before it is read. */
const mostHeaderBytes = 4 * 1024 * 1024;

/** The bundle that was given last. It is checked again when keys, hash, headers, blocks or contract change. */
let bundle: { readonly source: string; readonly bytes: Uint8Array } | null = null;
/** The number of bundles that were given: a file that takes long to read must not replace a later one. */
let given = 0;
let headers: Headers | null = null;
let serviceKeys: readonly string[] = [];

/** Checks the bundle with everything that the reader has entered, and shows the result. */
function check(): void {
  const trusted = readKeys(keys.value);
  const expected = readReceiptHash(receiptHash.value);
  showFaultOf(keys, trusted.fault);
  showFaultOf(receiptHash, expected.fault);
  const ethereum = trustedEthereum();
  const policy = readWitnesses(witnesses.value, quorum.value);
  showFaultOf(witnesses, policy.fault);
  const lines = keys.value.split('\n').map((line) => line.trim());
  const areOfService = lines.every((line) => line === '' || serviceKeys.includes(line));
  element('keys-compare', HTMLElement).hidden = !areOfService || trusted.value.length === 0;
  if (!bundle) return;
  try {
    const report = verifyBundle(bundle.bytes, {
      keys: trusted.value,
      ethereum,
      // Without the reader's own headers the bundle's are looked at.
      ...(headers === null ? {} : { headers: lookUp(headers) }),
      ...(expected.value === undefined ? {} : { receiptHash: expected.value }),
      ...(policy.value === undefined ? {} : { witnesses: policy.value }),
    });
    const hasOwnLog = (policy.value?.logs.length ?? 0) > 0;
    const onlyServiceKeys = areOfService && !compared.checked && !hasOwnLog;
    showReport(bundle.source, report, summarize(report, onlyServiceKeys));
  } catch (error) {
    const what = error instanceof Unreadable ? 'This is no proof bundle' : 'This could not be checked';
    showFault(bundle.source, `${what}: ${reason(error)}.`);
  }
}

/** The entries of the reader about Ethereum. Below a field that cannot be read, a sentence says why. */
function trustedEthereum(): TrustedBlocks {
  const trusted = readBlocks(blocks.value);
  const expected = readContract(contract.value);
  showFaultOf(blocks, trusted.fault);
  showFaultOf(contract, expected.fault);
  return {
    ...(trusted.value === undefined ? {} : { hashes: trusted.value }),
    ...(expected.value === undefined ? {} : { contract: expected.value }),
  };
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

/** Checks the bundle as soon as it is read, unless another one was given in the meantime. */
async function takeWhenRead(what: 'file' | 'bundle', source: string, read: () => Promise<Uint8Array>): Promise<void> {
  bundle = null;
  given += 1;
  const own = given;
  try {
    const bytes = await read();
    if (own === given) take(source, bytes);
  } catch (error) {
    if (own === given) showFault(source, `This ${what} cannot be read: ${reason(error)}.`);
  }
}

function takeFile(file: File): Promise<void> {
  return takeWhenRead('file', file.name, () => contentOf(file, bundleLimits.bytes));
}

/** A link to this page may name a public bundle of the service. */
async function takeLinked(): Promise<void> {
  const path = linkedBundle(location.search);
  if (path !== null) await takeWhenRead('bundle', path, () => fetchLinked(path, bundleLimits.bytes));
}

/** @throws Unreadable */
async function contentOf(file: File, mostBytes: number): Promise<Uint8Array> {
  if (file.size > mostBytes) throw new Unreadable(`it is larger than ${mostBytes / (1024 * 1024)} MiB`);
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
    if (file) headers = readHeaders(new TextDecoder().decode(await contentOf(file, mostHeaderBytes)));
  } catch (error) {
    fault = `It is not used: ${reason(error)}.`;
  }
  showFaultOf(headersFile, fault);
  check();
}

/** Shows the sentence below its field; an empty one removes it. */
function showFaultOf(field: HTMLInputElement | HTMLTextAreaElement, fault: string): void {
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
  // A reader who was faster than the answer has entered other keys.
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
blocks.addEventListener('input', check);
contract.addEventListener('input', check);
witnesses.addEventListener('input', check);
quorum.addEventListener('input', check);
compared.addEventListener('change', check);
headersFile.addEventListener('change', () => void takeHeaders());
takeDrops();
void fillKeys();
void takeLinked();
