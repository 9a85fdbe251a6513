import type { Due } from '../due.js';

export const nextTrace: Due = () => '(select min(due_at) from open_traces)';
