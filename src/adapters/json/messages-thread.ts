import { tryMessages } from '../../domain/rpc-messages.js';
import { stepBack } from '../step-back.js';

stepBack();

/** The task of the thread. It stores nothing. */
export default tryMessages;
