import { addCounts, type Counts } from './finding.js';
import { redactJson } from './metadata.js';
import { redact } from './redact.js';

/**
 * The texts of a memory that come from the caller. The source is one of them: it may be the address of the sender of a mail.
 */
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

/** Replaces every sensitive value in the four texts by `[redacted]` and counts them by kind. */
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
