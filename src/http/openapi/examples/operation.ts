import type { Book } from '../told.js';

export const operation: Book = {
  'GET /healthz': { id: 'getHealth', answers: { 200: { body: { status: 'up' } } } },
  'GET /readyz': {
    id: 'getReadiness',
    answers: {
      200: { says: 'It can.', body: { status: 'ready', missing: [], warnings: [] } },
      503: { says: 'Not now.', body: { status: 'not_ready', missing: ['the database does not answer'], warnings: [] } },
    },
  },
  'GET /metrics': {
    id: 'getMetrics',
    answers: { 200: { body: '# TYPE counterfoil_log_leaves gauge\ncounterfoil_log_leaves 42\n' } },
  },
};
