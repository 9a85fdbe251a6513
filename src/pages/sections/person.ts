import { accountPage } from '../account.js';
import { consentPage } from '../consent/page.js';
import type { Page } from '../page.js';
import { signInPage, signOutPage } from '../sign-in.js';
import { workspacePage } from '../workspace.js';

/** The pages about the person who uses the browser. */
export const personPages: readonly Page[] = [signInPage, signOutPage, workspacePage, consentPage, accountPage];
