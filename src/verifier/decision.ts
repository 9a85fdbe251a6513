import type { JsonObject } from './json.js';
import { list, text } from './shape.js';
import { attempt } from './unreadable.js';

/** The fields of a decision or a handoff, as its entry has them, and its text. */
export interface DecisionFields {
  readonly namespace_id: string;
  /** The identity that takes over; null for a decision. */
  readonly to_agent: string | null;
  readonly refs: readonly string[];
  /**
   * JSON with `summary`, `options`, `chosen` and `reason`, or with `summary` and `task`. Null when the bundle does not show
   * it, or shows another one than the entry commits to.
   */
  readonly private_text: string | null;
}

/** No list is longer than the values that an entry may have. */
const maxRefs = 16_384;

/**
 * @param body the body of an entry
 * @param privateText a text that the entry commits to
 * @returns null for a body of another form
 */
export function decisionFields(body: JsonObject, privateText: string | null): DecisionFields | null {
  const fields = attempt(() => ({
    namespace_id: text(body.namespace_id, 'its namespace'),
    to_agent: body.to_agent === undefined ? null : text(body.to_agent, 'the agent that takes over'),
    refs: list(body.refs, 'its references', maxRefs, text),
    private_text: privateText,
  }));
  return typeof fields === 'string' ? null : fields;
}
