import { stepBack } from '../../base/step-back.js';
import { type Jobs, jobs } from './jobs.js';

stepBack();

/** The one entry of all threads that do jobs. */
export default async function work({ job, input }: { readonly job: keyof Jobs; readonly input: never }) {
  const run = await jobs[job]();
  return run(input);
}
