import { KeyPair } from './key-pair.js';

/** The script of the page that links an agent with a proof. */
customElements.define('cf-key-pair', KeyPair);
