import type { Complete } from './completion.js';
import type { Prompt } from './prompt.js';
import type { Resources } from './resource.js';
import type { Tool } from './tool.js';

/** An image that clients show beside the name of the server. */
export interface Icon {
  readonly src: string;
  readonly mimeType: string;
  readonly sizes: readonly string[];
}

/** All that the server offers to clients. */
export interface Registry {
  /** For the model, before its first call: at most 2 kB. */
  readonly instructions: string;
  readonly websiteUrl: string;
  readonly icons: readonly Icon[];
  /** In the order in which they are listed. */
  readonly tools: readonly Tool[];
  readonly resources: Resources;
  readonly prompts: readonly Prompt[];
  readonly complete: Complete;
}
