import { stepBack } from '../../base/step-back.js';
import { tryJsonBytes } from '../../domain/json-text.js';

stepBack();

/** The task of the thread. It stores nothing. */
export default tryJsonBytes;
