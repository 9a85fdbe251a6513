import { stepBack } from '../../base/step-back.js';
import { hashHere } from './argon2.js';

stepBack();

/** The task of the thread. It stores nothing. */
export default hashHere;
