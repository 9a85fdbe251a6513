import { utf8Text } from '../../domain/json-text.js';
import type { ReadTasks } from '../../domain/task/read.js';

/** A body for the thread. */
export interface TaskBody {
  readonly body: Uint8Array;
  readonly now: number;
  readonly vendorPlatforms: readonly string[];
}

export function readBytes(read: ReadTasks, body: Uint8Array, now: number): ReturnType<ReadTasks> {
  const text = utf8Text(body);
  return text === undefined
    ? { code: 'invalid_json', message: 'The body is not UTF-8.', details: {} }
    : read(text, now);
}
