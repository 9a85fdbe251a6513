/**
 * What threads can do: name → how a thread gets the function. Only the thread that runs a job imports what the job needs, so
 * that a thread for JSON starts without the rules of redaction. A job takes and returns one value that can be cloned, has no
 * secrets and stores nothing.
 */
export const jobs = {
  readJson: async () => (await import('../../domain/read-json.js')).tryJsonBytes,
  readMessages: async () => (await import('../../domain/read-messages.js')).tryMessages,
  readSpans: async () => (await import('../otlp/read.js')).readExport,
  readTasks: async () => (await import('../tasks/written.js')).readWriting,
  redactMemory: async () => (await import('../../domain/redaction/writing.js')).redactMemory,
  redactTexts: async () => (await import('../../domain/redaction/writing.js')).redactTexts,
  checkBundle: async () => (await import('../../verifier/verify.js')).checkBundle,
  hashPassword: async () => (await import('../passwords/argon2.js')).hashHere,
  prepareText: async () => (await import('../../domain/prepared.js')).preparedText,
  embedChunks: async () => (await import('../embeddings/lexical.js')).lexicalEmbedder().documents,
};

/** Name → the function itself. */
export type Jobs = { readonly [J in keyof typeof jobs]: Awaited<ReturnType<(typeof jobs)[J]>> };
