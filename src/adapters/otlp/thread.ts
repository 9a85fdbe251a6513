import { stepBack } from '../../base/step-back.js';
import { readExport } from './read.js';

stepBack();

/** The task of the thread. It stores nothing. */
export default readExport;
