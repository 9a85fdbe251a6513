import { stepBack } from '../../base/step-back.js';
import { redactJson } from '../../domain/redaction/metadata.js';
import type { Redacted } from '../../domain/redaction/redact.js';

stepBack();

/** The task of the thread. It has no secrets and stores nothing. */
export default (texts: readonly string[]): readonly Redacted[] => texts.map(redactJson);
