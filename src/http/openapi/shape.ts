/** The parts of an OpenAPI 3.1 document that this service's one has. */

export type Schema = Readonly<Record<string, unknown>>;
export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string;
  /** `false` for a list that is written with commas. */
  readonly explode?: boolean;
  readonly style?: 'form' | 'deepObject';
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface MediaTypeObject {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Header {
  readonly description: string;
  /** Whether every answer has it that names it. */
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: string;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, MediaTypeObject>> };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  /** The call as a line for a shell. */
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
}

/** A request that the service sends. */
export type WebhookObject = Omit<OperationObject, 'x-codeSamples'>;

export interface ApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, WebhookObject>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}
