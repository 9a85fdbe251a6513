import { checkBundle } from '../../verifier/checked.js';
import { stepBack } from '../step-back.js';

stepBack();

/** The task of the thread. It has no secrets and stores nothing. */
export default checkBundle;
