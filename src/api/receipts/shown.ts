import { catalogue, isEntryKind } from '../../../contracts/entries/catalogue.js';
import { type ListedReceipt, pageBytes, type ReceiptView, receiptsAt } from '../../../projections/receipts/queries.js';
import { inGroups } from '../../base/groups.js';
import { stringify } from '../../base/json-text.js';
import { slices } from '../../base/steps.js';
import type { Vault } from '../../commands/vault.js';
import type { Caller } from '../../domain/caller.js';
import { mayReadTexts } from '../../domain/receipt-access.js';
import { Encoded } from '../answer.js';
import type { Names } from '../names.js';
import type { ForReading } from '../services.js';
import { partsWithIds, receiptShape } from './shapes.js';

/** A receipt as JSON, encoded. */
export interface ShownReceipt {
  readonly seq: number;
  readonly json: Uint8Array;
}

/**
 * The receipts of a list in its order, each encoded by itself: encoding a long answer at once would take too long. A
 * receipt whose private text is not what it commits to is reported and left out. At most `pageBytes` of entries are in memory at once, besides the answer.
 */
export async function showReceipts(
  { read, vault }: Pick<ForReading, 'read' | 'vault'>,
  caller: Caller,
  rows: readonly ListedReceipt[],
  names?: Names,
): Promise<ShownReceipt[]> {
  const shown = new Map<number, ShownReceipt>();
  const next = slices();
  const { workspaceId } = caller;
  const add = async (some: readonly ReceiptView[]) => {
    for (const row of await genuine(vault, some)) {
      const shape = receiptShape(readableTo(caller, row));
      names?.note(partsWithIds(shape));
      shown.set(row.seq, { seq: row.seq, json: Buffer.from(stringify(shape), 'utf8') });
      await next();
    }
  };
  await add(rows.flatMap(whole));
  for (const seqs of parts(rows.filter(({ bytes }) => bytes === null))) {
    await add(await read((tx) => receiptsAt(tx, workspaceId, seqs)));
  }
  return rows.flatMap(({ seq }) => shown.get(seq) ?? []);
}

/** @throws Refusal internal_error for a private text that is not what the receipt commits to */
export async function showReceipt(vault: Vault, caller: Caller, row: ReceiptView) {
  if (hasPrivateText(row)) await vault.requireGenuine(storedTexts(row));
  return receiptShape(readableTo(caller, row));
}

/** The receipt without the text that the caller may not read. The text is checked before, because it shows that nothing was changed. */
const readableTo = (caller: Caller, row: ReceiptView): ReceiptView =>
  mayReadTexts(caller, row) ? row : { ...row, content: null };

async function genuine(vault: Vault, rows: readonly ReceiptView[]): Promise<ReceiptView[]> {
  const checked = await vault.genuine(rows.filter(hasPrivateText).map(storedTexts));
  const sound = new Set(checked.map(({ receipt_id }) => receipt_id));
  return rows.filter((row) => !hasPrivateText(row) || sound.has(row.receipt_id));
}

/** Whether the receipt is shown with a text of the vault. */
function hasPrivateText({ kind, erasure_receipt_id }: ReceiptView): boolean {
  return erasure_receipt_id === null && isEntryKind(kind) && catalogue[kind].discloses === 'with receipts';
}

/** For a row that is missing. It is as long as a salt, because the row of a receipt that commits to no text is no fault here. */
const noSalt = new Uint8Array(32);

/** A row that is missing in the vault has no text, and fails the check of a receipt that commits to one. */
function storedTexts({ receipt_id, hash, bytes, salt, content }: ReceiptView) {
  return {
    receipt_id,
    receipt_hash: Buffer.from(hash).toString('hex'),
    entry: bytes,
    salt: salt ?? noSalt,
    content,
    metadata: null,
    source: null,
    label: null,
  };
}

function whole(row: ListedReceipt): ReceiptView[] {
  const { bytes } = row;
  return bytes === null ? [] : [{ ...row, bytes }];
}

/** Positions of receipts that have about `pageBytes` together. */
const parts = (rows: readonly ListedReceipt[]): number[][] =>
  inGroups(rows, ({ size }) => size, { size: pageBytes }).map((group) => group.map(({ seq }) => seq));

/** An answer of JSON texts and receipts one after the other. */
export function encoded(parts: readonly (string | Uint8Array)[]): Encoded {
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part));
  return new Encoded('application/json; charset=utf-8', Buffer.concat(bytes));
}
