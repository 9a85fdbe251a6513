import { redactMemory } from '../../domain/redaction/memory.js';
import { stepBack } from '../step-back.js';

stepBack();

/** What the thread does with each text. It holds no secret and keeps nothing. */
export default redactMemory;
