import { redactMemory } from '../../domain/redaction/memory.js';

/** What the thread does with each text. It holds no secret and keeps nothing. */
export default redactMemory;
