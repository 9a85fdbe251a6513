import { addCounts, type Counts } from './finding.js';
import { redactJson } from './metadata.js';
import { redact } from './redact.js';

/** What callers say in a memory. The source is theirs too, and may well be the address of who wrote a mail. */
export interface Writing {
  readonly content: string;
  readonly metadata: string;
  readonly source: string | null;
}

/** The three with `[redacted]` for every sensitive value, and how many there were of each kind. */
export function redactMemory({ content, metadata, source }: Writing): Writing & { readonly found: Counts } {
  const text = redact(content);
  const json = redactJson(metadata);
  const from = source === null ? null : redact(source);
  return {
    content: text.text,
    metadata: json.text,
    source: from?.text ?? null,
    found: addCounts(addCounts(text.found, json.found), from?.found ?? {}),
  };
}
