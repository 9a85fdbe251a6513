import { checkBundle } from '../../verifier/checked.js';
import { stepBack } from '../step-back.js';

stepBack();

/** What the thread does with each bundle. It holds no secret and keeps nothing. */
export default checkBundle;
