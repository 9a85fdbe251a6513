import { stepBack } from '../step-back.js';
import { hashHere } from './argon2.js';

stepBack();

/** What the thread does with each password. It keeps nothing. */
export default hashHere;
