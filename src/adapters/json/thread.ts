import { tryJsonBytes } from '../../domain/json-text.js';
import { stepBack } from '../step-back.js';

stepBack();

/** The task of the thread. It stores nothing. */
export default tryJsonBytes;
