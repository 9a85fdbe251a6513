import type { Due } from '../due.js';

export const nextDelivery: Due = () => `(select min(run_after) from deliveries where state = 'pending')`;
