import { stepBack } from '../../base/step-back.js';
import { checkBundle } from '../../verifier/checked.js';

stepBack();

/** The task of the thread. It has no secrets and stores nothing. */
export default checkBundle;
