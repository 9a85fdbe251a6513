import { Import } from './element.js';

customElements.define('cf-import', Import);
