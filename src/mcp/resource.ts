import type { RawJson } from '../domain/json-text.js';
import type { Calling } from './tool.js';

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
