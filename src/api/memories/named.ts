import type { summaryShape } from '../shapes.js';

/** The parts of a memory whose ids may have names. Its metadata is not among them. */
export function memoryIds({
  namespace_id,
  provenance,
  invalidated,
}: Pick<ReturnType<typeof summaryShape>, 'namespace_id' | 'provenance' | 'invalidated'>): object {
  return { namespace_id, provenance, by: invalidated?.by ?? {} };
}
