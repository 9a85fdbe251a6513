import type { Calling } from './tool.js';

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
