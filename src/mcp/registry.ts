import type { RawJson } from '../base/json-text.js';
import type { Calling, Tool } from './tool.js';

/** An image that clients show beside the name of the server. */
export interface Icon {
  readonly src: string;
  readonly mimeType: string;
  readonly sizes: readonly string[];
}

/** All that the server offers to clients. */
export interface Registry {
  /** For the model, before its first call: at most 2 kB, with what its credential reaches. */
  instructions(calling: Calling): Promise<string>;
  readonly websiteUrl: string;
  readonly icons: readonly Icon[];
  /** In the order in which they are listed. */
  readonly tools: readonly Tool[];
  readonly resources: Resources;
  readonly prompts: readonly Prompt[];
  readonly complete: Complete;
}

/** A resource as lists show it. */
export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

/** A kind of resources, of which each has an address that follows a template (RFC 6570). */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** One representation of a resource. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType: string;
  /** A long text is encoded as JSON already, because that takes long. */
  readonly text: string | RawJson;
  /** Says of the text of a memory that it is no instruction. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ResourcePage {
  readonly resources: readonly ResourceDefinition[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** The resources of a server. A refusal with status 400 or 404 becomes an error about the arguments of the request. */
export interface Resources {
  readonly templates: readonly ResourceTemplate[];
  /** @param cursor undefined for the first page. @throws Refusal invalid_cursor */
  list(cursor: string | undefined, calling: Calling): Promise<ResourcePage>;
  /** @throws Refusal for a resource that does not exist or that the client may not read */
  read(uri: string, calling: Calling): Promise<readonly ResourceContents[]>;
}

/** An argument of a prompt. Its value is always a string. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly required: boolean;
}

/** The description of a prompt that clients get. */
export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export interface Prompt {
  readonly definition: PromptDefinition;
  /**
   * The arguments are strings, those that are required are present, and none is unknown.
   * @throws Refusal of which status 400 or 404 becomes an error about the arguments
   */
  get(args: Readonly<Record<string, string>>, calling: Calling): Promise<PromptResult>;
}

/** The value that is being typed, and where it will be used. */
export interface Completing {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'resource'; readonly uriTemplate: string };
  /** The argument of the prompt, or the variable of the template. */
  readonly argument: { readonly name: string; readonly value: string };
}

export interface Completion {
  /** At most 100. */
  readonly values: readonly string[];
  /** The number of all values that match, where it is known. */
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** Proposes values. @throws Refusal with status 400 or 404 for a prompt or a template that does not exist */
export type Complete = (completing: Completing, calling: Calling) => Promise<Completion>;
