import { limits } from '../../../contracts/limits.js';
import { RawJson, stringify } from '../../base/json-text.js';
import { type ImportedMemory, type ImportItem, LeftOut } from '../../domain/imports/imported.js';
import type { Tally } from './tally.js';

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

/** The parts of the tally for items that are not written, and for the remarks of readers. */
type Remarks = Pick<Tally, 'refused' | 'leftOut' | 'assumed'>;

/** Divides memories into batches, in their order. */
export async function* batchesOf(
  items: AsyncIterable<ImportItem>,
  remarks: Remarks,
): AsyncGenerator<readonly Outgoing[]> {
  let batch: Outgoing[] = [];
  let [bytes, values] = [0, 0];
  for await (const { place, memory } of items) {
    if (typeof memory === 'string') {
      remarks.refused(place, 'not_a_memory', memory);
      continue;
    }
    if (memory instanceof LeftOut) {
      remarks.leftOut(place, memory.reason);
      continue;
    }
    for (const sentence of memory.assumed ?? []) remarks.assumed(place, sentence);
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
