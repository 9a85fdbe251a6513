import { atOnce, type Due } from '../due.js';

/** Alerts whose present condition was never checked. */
export const newAlert: Due = () => `(select ${atOnce} from alerts where is_new limit 1)`;

export const nextMail: Due = () => `(select min(run_after) from firings where mail = 'pending')`;
