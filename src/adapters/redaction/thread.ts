import { stepBack } from '../../base/step-back.js';
import { redactMemory } from '../../domain/redaction/memory.js';

stepBack();

/** The task of the thread. It has no secrets and stores nothing. */
export default redactMemory;
