import type { Authorizations, Exchange } from '../../contracts/authorization.js';
import type { Cookies } from '../api/answer.js';
import type { Caller, CallParts } from '../api/call.js';
import type { Client } from '../api/operation.js';
import type { OpenSession } from '../api/session/sessions.js';
import type { Form } from './form.js';
import type { FormTokens } from './form-tokens.js';
import type { FileName } from './frame/files.js';
import type { Html } from './html.js';
import type { Sealed } from './sealed.js';

/** The parts that pages use besides the operations of the API. */
export interface PageParts extends CallParts {
  readonly formTokens: FormTokens;
  readonly sealed: Sealed;
  /** The requests of OAuth clients that wait for an answer. */
  readonly authorizations: Authorizations;
  /** Whether the memory API is switched on. */
  readonly memoryApi: boolean;
}

/** A person who is signed in, as a page sees them. */
export interface Visitor {
  readonly session: OpenSession;
  readonly caller: Caller;
}

/** A request for a page, or of a form on it. */
export interface PageRequest {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Without fields where the page is only looked at. */
  readonly form: Form;
  readonly client: Client;
  readonly exchange: Exchange;
  /** The moment at which the page is made, in milliseconds. */
  readonly now: number;
  readonly visitor: Visitor | null;
  readonly recorded: Recorded;
}

/** The receipt of the last entry that the operations of a request have recorded; null as long as there is none. */
export interface Recorded {
  receipt: string | null;
}

export interface PersonRequest extends PageRequest {
  readonly visitor: Visitor;
  /** The token that forms of this page carry. */
  readonly token: string;
}

/** A page to show. */
export interface Shown {
  readonly status: number;
  readonly title: string;
  readonly main: Html;
  /** The address of this service with which the browser continues by itself. */
  readonly continuesAt?: string;
  /** The seconds after which it does; at once without them. */
  readonly continuesAfter?: number;
  /** For a question that must be answered before anything else. */
  readonly withoutNavigation?: true;
  /** For a page that shows a secret. */
  readonly withoutScript?: true;
  /** The script of an element that only this page has, beside that of all pages. */
  readonly script?: FileName;
  /** For what only the script of another page reads: without a header, which costs more than a few rows do. */
  readonly withoutHeader?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The page with which the browser continues after a form. */
export interface Redirected {
  readonly location: string;
  /** Whether that page names the receipt by itself. */
  readonly namesReceipt?: true;
  readonly cookies?: Cookies;
  /** The fields of a form, sealed, which is shown again at that address now that the person is signed in. */
  readonly draft?: string;
}

/** A file that the browser stores. It is made while it is sent, so its length is not known. */
export interface Download {
  /** The name under which it is stored. */
  readonly file: string;
  readonly type: string;
  readonly parts: AsyncIterable<string>;
}

export type PageAnswer = Shown | Redirected | Download;

type Handler<R extends PageRequest> = (request: R, parts: PageParts) => Promise<PageAnswer>;

interface Common {
  readonly path: string;
  /** Whether the page is not there when the memory API is switched off. */
  readonly ofMemoryApi?: true;
  /** The most bytes of its form, where it takes more than others do. */
  readonly formBytes?: number;
  /** Whether one of its forms has a file, which browsers send in parts. */
  readonly takesFile?: true;
  /** The fields of its forms that are never shown again, and never kept while the person signs in. */
  readonly secrets?: readonly string[];
  /**
   * Whether its forms neither write nor delete what agents do: they work for readers, and while agents are paused. All other forms
   * do not.
   */
  readonly writesNothing?: true;
}

/** A page that anyone may open. Its form needs no token, because there is no session that it could be made for. */
export interface OpenPage extends Common {
  readonly access: 'anyone';
  /** Absent for a page that only has a form on other pages. */
  readonly show?: Handler<PageRequest>;
  readonly submit?: Handler<PageRequest>;
}

/** A page for people who are signed in; others are sent to /sign-in and come back. */
export interface PersonPage extends Common {
  readonly access: 'a person';
  /** Absent for a page that only has a form on other pages. */
  readonly show?: Handler<PersonRequest>;
  readonly submit?: Handler<PersonRequest>;
  /** The purpose of the token of its forms, where that is not the path. */
  purpose?(request: PageRequest): string;
}

export type Page = OpenPage | PersonPage;
