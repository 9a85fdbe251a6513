import { atOnce, type Due } from '../due.js';

export const nextDelivery: Due = () => `(select min(run_after) from deliveries where state = 'pending')`;

export const nextAdmission: Due = () => `(select ${atOnce} from admissions limit 1)`;
