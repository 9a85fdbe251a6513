import { limits } from '../../../contracts/limits.js';
import type { ImportedMemory, ImportItem } from '../../domain/imports/imported.js';
import { RawJson, stringify } from '../../domain/json-text.js';

/** A memory that is sent, with the text of its JSON. */
export interface Outgoing {
  readonly place: string;
  readonly memory: ImportedMemory;
  readonly json: string;
}

/**
 * The most memories, bytes and values of a batch. The service takes larger ones, but these are as quick, show progress more often, and
 * delay others less.
 */
const most = { memories: 250, bytes: 2 * 1024 * 1024, values: limits.jsonValues / 2 };

/**
 * Divides memories into batches, in their order.
 * @param wrong gets each item that is no memory
 */
export async function* batchesOf(
  items: AsyncIterable<ImportItem>,
  wrong: (place: string, sentence: string) => void,
): AsyncGenerator<readonly Outgoing[]> {
  let batch: Outgoing[] = [];
  let [bytes, values] = [0, 0];
  for await (const { place, memory } of items) {
    if (typeof memory === 'string') {
      wrong(place, memory);
      continue;
    }
    const one = { place, memory, json: jsonOf(memory) };
    const size = { bytes: Buffer.byteLength(one.json), values: valuesIn(one.json) };
    if (batch.length > 0 && (bytes + size.bytes > most.bytes || values + size.values > most.values)) {
      yield batch;
      batch = [];
      [bytes, values] = [0, 0];
    }
    batch.push(one);
    bytes += size.bytes;
    values += size.values;
    if (batch.length < most.memories) continue;
    yield batch;
    batch = [];
    [bytes, values] = [0, 0];
  }
  if (batch.length > 0) yield batch;
}

function jsonOf({ content, metadata, source, playground, namespace }: ImportedMemory): string {
  return stringify({ content, metadata: new RawJson(metadata), source, playground, namespace });
}

/** At least as many as the JSON has: each value but the first follows a comma, a bracket or a colon. */
function valuesIn(json: string): number {
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === comma || code === bracket || code === colon) values += 1;
  }
  return values;
}

const [comma, bracket, colon] = [',', '[', ':'].map((character) => character.charCodeAt(0));
