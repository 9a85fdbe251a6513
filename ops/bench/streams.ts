import { get } from 'node:http';
import { table } from './machine.js';
import { type BenchService, startService, temporaryDirectory } from './service.js';
import { ask, signIn } from './sign-in.js';
import { processorSeconds, residentMb } from './usage.js';

/** Streams of one person, and of the process. */
const [ofPerson, most] = [3, 1000];
const password = 'a password of the bench';
const usual = { people: 100, seconds: 60 };

/** How much memory and time 1,000 open streams of the terminal take, some of them of people who are signed in. */
export async function benchStreams(given: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const [people = usual.people, seconds = usual.seconds] = given.map(Number);
  const directory = temporaryDirectory();
  const owner = { OWNER_EMAIL: 'owner@example.org', OWNER_PASSWORD: password };
  const service = await startService(directory.path, 8199, { ...env, ...owner, TRUST_PROXY: '1' });
  try {
    const cookies = await signedInPeople(service, people);
    const idle = await measured(service, seconds);
    const begun = performance.now();
    const streams = await Promise.all(
      Array.from({ length: most }, (_, at) => open(service, cookies[Math.floor(at / ofPerson)], at)),
    );
    const openMs = performance.now() - begun;
    const busy = await measured(service, seconds);
    const refused = await open(service, undefined, most);
    const slowest = Math.max(...streams.map(({ firstMs }) => firstMs));
    const alive = streams.filter(({ comments }) => comments() > 0).length;
    console.log(
      table([
        [
          'streams',
          'signed in',
          'opened in',
          'slowest first event',
          'memory of each',
          'processor idle',
          'with streams',
          'alive',
        ],
        [
          streams.filter(({ status }) => status === 200).length,
          Math.min(people * ofPerson, most),
          `${openMs.toFixed(0)} ms`,
          `${slowest.toFixed(0)} ms`,
          `${(((busy.mib - idle.mib) * 1024) / most).toFixed(1)} KiB`,
          `${(idle.busy * 100).toFixed(1)} %`,
          `${(busy.busy * 100).toFixed(1)} %`,
          alive,
        ],
      ]),
    );
    console.log(`Stream ${most + 1} was answered with ${refused.status}.`);
    const from = performance.now();
    await service.stop();
    console.log(`The service stopped in ${(performance.now() - from).toFixed(0)} ms.`);
  } finally {
    service.process.kill('SIGKILL');
    directory.remove();
  }
}

async function signedInPeople(service: BenchService, count: number): Promise<string[]> {
  const cookie = await signIn(service, 'owner@example.org', password);
  const cookies: string[] = [];
  for (let person = 0; person < count; person += 1) {
    const email = `person-${person}@example.org`;
    await ask(service, 'POST', '/v1/members', { cookie }, { email, role: 'reader', password });
    cookies.push(await signIn(service, email, password));
  }
  return cookies;
}

interface OpenStream {
  readonly status: number;
  /** Until the first event. */
  readonly firstMs: number;
  comments(): number;
}

/** @param at chooses the address of the client, which may have 5 streams */
function open({ origin }: BenchService, cookie: string | undefined, at: number): Promise<OpenStream> {
  const begun = performance.now();
  const address = { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` };
  return new Promise((resolve, reject) => {
    const request = get(
      `${origin}/v1/terminal/stream`,
      { headers: cookie === undefined ? address : { ...address, cookie } },
      (answer) => {
        let comments = 0;
        answer.setEncoding('utf8').on('data', (text: string) => {
          comments += text.split('\n').filter((line) => line === ':').length;
          resolve({ status: answer.statusCode ?? 0, firstMs: performance.now() - begun, comments: () => comments });
        });
        answer.on('error', () => undefined);
      },
    );
    request.on('error', reject);
  });
}

/** The memory of the service, and the part of one processor that it takes for some seconds. */
async function measured({ process }: BenchService, seconds: number) {
  const from = processorSeconds(process);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return { mib: residentMb(process), busy: (processorSeconds(process) - from) / seconds };
}
