import { addCounts, type Counts } from './finding.js';
import { redactJson } from './metadata.js';
import { redact } from './redact.js';

/** What callers say in a memory. The source is theirs too, and may well be the address of who wrote a mail. */
export interface Writing {
  readonly content: string;
  readonly metadata: string;
  readonly source: string | null;
  /** The name of a file or a URL, which may have an address or a token in it. */
  readonly label: string | null;
}

export interface RedactedWriting extends Writing {
  readonly found: Counts;
}

/** The four with `[redacted]` for every sensitive value, and how many there were of each kind. */
export function redactMemory({ content, metadata, source, label }: Writing): RedactedWriting {
  const text = redact(content);
  const json = redactJson(metadata);
  const [from, name] = [source, label].map((one) => (one === null ? null : redact(one)));
  return {
    content: text.text,
    metadata: json.text,
    source: from?.text ?? null,
    label: name?.text ?? null,
    found: [json, from, name].reduce((sum, one) => addCounts(sum, one?.found ?? {}), text.found),
  };
}
