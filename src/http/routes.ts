import type { Endpoint } from './endpoint.js';
import { importEndpoint, jobEndpoint, jobListEndpoint, retryEndpoint } from './ingest.js';
import { addEndpoint, deleteEndpoint, exportEndpoint, getEndpoint, listEndpoint } from './memories.js';
import { namespaceListEndpoint } from './namespaces.js';
import { proofEndpoint, receiptEndpoint, receiptListEndpoint } from './receipts.js';
import { searchEndpoint } from './search.js';

/** Every endpoint under /v1/, in the order of the interface. */
export const routes: readonly Endpoint[] = [
  listEndpoint,
  addEndpoint,
  searchEndpoint,
  getEndpoint,
  deleteEndpoint,
  exportEndpoint,
  jobEndpoint,
  retryEndpoint,
  jobListEndpoint,
  importEndpoint,
  namespaceListEndpoint,
  receiptListEndpoint,
  receiptEndpoint,
  proofEndpoint,
];
