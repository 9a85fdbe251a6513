import { stepBack } from '../../base/step-back.js';
import { tryMessages } from '../../domain/rpc-messages.js';

stepBack();

/** The task of the thread. It stores nothing. */
export default tryMessages;
