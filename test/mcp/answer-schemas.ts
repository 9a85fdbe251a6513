/** The versions of the protocol, oldest first. */
export const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Version = (typeof versions)[number];

type Schema = Readonly<Record<string, unknown>>;
/** A member of an object. `!` at the end of its name says that it is required. */
type Members = Readonly<Record<string, Schema>>;

const text: Schema = { type: 'string' };
const yesOrNo: Schema = { type: 'boolean' };
const number: Schema = { type: 'number' };
const count: Schema = { type: 'integer', minimum: 0 };
/** An object that the protocol leaves to others, such as a JSON Schema or metadata. */
const open: Schema = { type: 'object' };
const list = (items: Schema): Schema => ({ type: 'array', items });

/** An object with these members and no others, as the strictest clients read the schema of a version. */
function closed(members: Members): Schema {
  const entries = Object.entries(members).map(([name, schema]) => [name.replace(/!$/, ''), schema] as const);
  const required = Object.keys(members).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : []));
  return { type: 'object', properties: Object.fromEntries(entries), required, additionalProperties: false };
}

/** The members of a version, of which each group came with the version that is its name. */
const since = (version: Version, groups: Partial<Record<Version, Members>>): Members =>
  Object.assign({}, ...versions.filter((one) => one <= version).map((one) => groups[one] ?? {}));

/** Everything that the answers of one version consist of. */
function partsOf(version: Version) {
  const of = (groups: Partial<Record<Version, Members>>) => closed(since(version, groups));
  const icons = list(closed({ 'src!': text, mimeType: text, sizes: list(text), theme: { enum: ['light', 'dark'] } }));
  const named = {
    '2025-06-18': { title: text, _meta: open },
    '2025-11-25': { icons },
  };
  const implementation = of({
    '2024-11-05': { 'name!': text, 'version!': text },
    '2025-06-18': { title: text },
    '2025-11-25': { description: text, websiteUrl: text, icons },
  });
  const annotations = of({
    '2024-11-05': { audience: list({ enum: ['user', 'assistant'] }), priority: { ...number, minimum: 0, maximum: 1 } },
    '2025-06-18': { lastModified: text },
  });
  const content = of({
    '2024-11-05': { 'type!': { const: 'text' }, 'text!': text, annotations },
    '2025-06-18': { _meta: open },
  });
  const body = { 'uri!': text, mimeType: text };
  const contents = (member: Members) => of({ '2024-11-05': { ...body, ...member }, '2025-06-18': { _meta: open } });
  const changes = closed({ listChanged: yesOrNo });
  return {
    implementation,
    content,
    contents: { oneOf: [contents({ 'text!': text }), contents({ 'blob!': text })] },
    capabilities: of({
      '2024-11-05': {
        experimental: open,
        logging: open,
        prompts: changes,
        resources: closed({ subscribe: yesOrNo, listChanged: yesOrNo }),
        tools: changes,
      },
      '2025-03-26': { completions: open },
      '2026-07-28': { extensions: open },
    }),
    tool: of({
      ...named,
      '2024-11-05': { 'name!': text, description: text, 'inputSchema!': open },
      '2025-03-26': {
        annotations: closed({
          title: text,
          readOnlyHint: yesOrNo,
          destructiveHint: yesOrNo,
          idempotentHint: yesOrNo,
          openWorldHint: yesOrNo,
        }),
      },
      '2025-06-18': { ...named['2025-06-18'], outputSchema: open },
    }),
    resource: of({
      ...named,
      '2024-11-05': { 'uri!': text, 'name!': text, description: text, mimeType: text, annotations },
      '2025-03-26': { size: count },
    }),
    template: of({
      ...named,
      '2024-11-05': { 'uriTemplate!': text, 'name!': text, description: text, mimeType: text, annotations },
    }),
    prompt: of({
      ...named,
      '2024-11-05': {
        'name!': text,
        description: text,
        arguments: list(
          of({ '2024-11-05': { 'name!': text, description: text, required: yesOrNo }, '2025-06-18': { title: text } }),
        ),
      },
    }),
  };
}

/** The schemas of the results of a version, by method. */
function resultsOf(version: Version): Readonly<Record<string, Schema>> {
  const { implementation, content, contents, capabilities, tool, resource, template, prompt } = partsOf(version);
  const isStateless = version >= '2026-07-28';
  const meta = closed({ 'io.modelcontextprotocol/serverInfo': implementation });
  const result = (members: Members): Schema =>
    closed({
      ...members,
      ...(isStateless
        ? { 'resultType!': { const: 'complete' }, _meta: { ...meta, additionalProperties: true } }
        : { _meta: open }),
    });
  /** A result that a stateless client may keep for a while. */
  const kept = (members: Members): Schema =>
    result({ ...members, ...(isStateless && { 'ttlMs!': count, 'cacheScope!': { enum: ['public', 'private'] } }) });
  const page = (name: string, items: Schema) => kept({ [`${name}!`]: list(items), nextCursor: text });
  const begins = isStateless
    ? {
        'server/discover': kept({
          'supportedVersions!': list(text),
          'capabilities!': capabilities,
          instructions: text,
        }),
      }
    : {
        initialize: result({
          'protocolVersion!': { const: version },
          'capabilities!': capabilities,
          'serverInfo!': implementation,
          instructions: text,
        }),
        ping: result({}),
      };
  return {
    ...begins,
    'tools/list': page('tools', tool),
    'tools/call': result({
      'content!': list(content),
      isError: yesOrNo,
      ...(version >= '2025-06-18' && { structuredContent: open }),
    }),
    'resources/list': page('resources', resource),
    'resources/templates/list': page('resourceTemplates', template),
    'resources/read': kept({ 'contents!': list(contents) }),
    'prompts/list': page('prompts', prompt),
    'prompts/get': result({
      description: text,
      'messages!': list(closed({ 'role!': { enum: ['user', 'assistant'] }, 'content!': content })),
    }),
    'completion/complete': result({
      'completion!': closed({ 'values!': { ...list(text), maxItems: 100 }, total: count, hasMore: yesOrNo }),
    }),
  };
}

const error = closed({ 'code!': { type: 'integer' }, 'message!': text, data: {} });

/**
 * The schemas of the answers to each method of a version: what the specification has of them, in our words and closed, so that a
 * member of a later version, or of none, is a fault. The key `error` is that of errors.
 */
export function answersOf(version: Version): Readonly<Record<string, Schema>> {
  const results = Object.entries(resultsOf(version)).map(([method, result]) => [
    method,
    closed({ 'jsonrpc!': { const: '2.0' }, 'id!': { type: ['string', 'integer'] }, 'result!': result }),
  ]);
  // Earlier versions have no error without an id; there JSON-RPC says that it is null.
  const id =
    version >= '2025-11-25'
      ? { id: { type: ['string', 'integer'] } }
      : { 'id!': { type: ['string', 'integer', 'null'] } };
  return { ...Object.fromEntries(results), error: closed({ 'jsonrpc!': { const: '2.0' }, ...id, 'error!': error }) };
}
