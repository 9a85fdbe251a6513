import { tryJsonBytes } from '../../domain/json-text.js';
import { stepBack } from '../step-back.js';

stepBack();

/** What the thread does with each body. It keeps nothing. */
export default tryJsonBytes;
