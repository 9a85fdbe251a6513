import { Again } from './again.js';
import { CheckHere } from './check-here.js';
import { Copy } from './copy.js';
import { startKeys } from './keys.js';
import { startMenu } from './menu.js';
import { startNavigation } from './navigation.js';
import { Print } from './print.js';
import { Tail } from './tail.js';
import { renewTimes } from './times.js';

/** The script of the pages of the console. Each page is complete without it; it only makes them faster to use. */
customElements.define('cf-again', Again);
customElements.define('cf-copy', Copy);
customElements.define('cf-print', Print);
customElements.define('cf-tail', Tail);
customElements.define('cf-verify', CheckHere);
startNavigation();
startKeys();
startMenu();
renewTimes();
