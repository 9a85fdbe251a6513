import { Refusal } from '../../../contracts/errors.js';
import { type InputOf, readFields, refuseOversized, refuseUnknown } from '../../../contracts/input.js';
import { memoryIn } from '../../../contracts/memory.js';
import { type Part, partsOf } from '../../base/json-outline.js';
import { isObject } from '../../base/json-text.js';
import type { Steps } from '../../base/steps.js';

/** A memory of a batch whose fields are right, with the texts of its objects as they were sent. */
export interface BatchItem {
  readonly body: InputOf<typeof memoryIn>;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Reads the memories of a batch, each as the body of one write is read: one that is wrong does not stop the rest.
 * @param text the text of the list, as it was sent
 */
export function* readItems(sent: readonly unknown[], text: string): Steps<readonly (BatchItem | Refusal)[]> {
  const outline = partsOf(text, 2);
  const items: (BatchItem | Refusal)[] = [];
  for (const [at, one] of sent.entries()) {
    items.push(itemOf(one, outline[at]?.parts ?? [], text));
    yield;
  }
  return items;
}

function itemOf(sent: unknown, parts: readonly Part[], text: string): BatchItem | Refusal {
  if (!isObject(sent)) return new Refusal('invalid_request', 'A memory must be a JSON object.');
  const texts = new Map(parts.map(({ name, from, to }) => [name, text.slice(from, to)]));
  try {
    refuseUnknown(memoryIn, texts.keys(), 'invalid_request');
    refuseOversized(memoryIn, sizesOf(parts, texts));
    return { body: readFields(memoryIn, sent), texts };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function sizesOf(parts: readonly Part[], texts: ReadonlyMap<string, string>) {
  return new Map(
    parts.map(({ name, values }) => [name, { values, bytes: Buffer.byteLength(texts.get(name) ?? '') }] as const),
  );
}
