/** The answer of the service to one request. */
export type Sent =
  | { readonly is: 'stored'; readonly memory: string; readonly receipt: string; readonly duplicate: boolean }
  /** Nothing can be found in it. */
  | { readonly is: 'blank' }
  /** Only this request is refused: other requests may continue. */
  | { readonly is: 'refused'; readonly sentence: string }
  /** A rule holds it until it is approved. */
  | { readonly is: 'held'; readonly approval: string }
  /** Everything else would be refused too. */
  | { readonly is: 'stopped'; readonly sentence: string; readonly signIn: boolean };

/** A request to `POST /v1/ingest` with the key under which it is carried out once. */
export interface Request {
  readonly body: string;
  readonly key: string;
}

/** Attempts while the service fails or does not answer; a service that asks to wait is asked again as often as it asks. */
const mostAttempts = 6;

/** @param waits is called with the seconds until the next attempt, and with null when it begins */
export async function send(request: Request, waits: (seconds: number | null) => void): Promise<Sent> {
  for (let attempt = 1; ; ) {
    const response = await answerTo(request);
    const asked = Number(response?.headers.get('retry-after') ?? Number.NaN);
    if (response !== null && response.status !== 429 && response.status < 500) return read(response);
    if (response?.status !== 429) {
      if (attempt === mostAttempts) return stopped('The service does not answer, or has failed.');
      attempt += 1;
    }
    const seconds = Number.isNaN(asked) ? 2 ** attempt / 2 : asked;
    waits(seconds);
    // A little longer, each by another time: three requests that wait would else all come back at one moment.
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000 * (1 + Math.random() / 4)));
    waits(null);
  }
}

async function answerTo({ body, key }: Request): Promise<Response | null> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  try {
    return await fetch('/v1/ingest', { method: 'POST', headers, body });
  } catch {
    return null;
  }
}

const stopped = (sentence: string, signIn = false): Sent => ({ is: 'stopped', sentence, signIn });

type Members = Readonly<Record<string, unknown>>;

async function read(response: Response): Promise<Sent> {
  const answer = membersOf(await response.json().catch(() => null));
  if (response.ok) {
    const [memory, receipt] = [textIn(answer, 'memory_id'), textIn(answer, 'receipt_id')];
    if (memory === '') return stopped('The answer is none of this service. Is a proxy or a sign-in page between?');
    return { is: 'stored', memory, receipt, duplicate: answer.duplicate === true };
  }
  if (response.status === 402) return stopped(planSentence(answer));
  const error = membersOf(answer.error);
  const message = textIn(error, 'message');
  switch (textIn(error, 'code')) {
    case 'no_text':
      return { is: 'blank' };
    case 'approval_required':
      return { is: 'held', approval: textIn(membersOf(error.details), 'approval_id') };
    case 'tenant_paused':
      return stopped('All agents are paused, so nothing is written until an owner resumes them.');
    case 'csrf':
      return stopped('The service does not take this from this page. Open the page again.');
  }
  if (response.status === 401) return stopped('Your session has ended.', true);
  if (response.status === 403 || response.status === 404) return stopped(message || 'You may not write here.');
  return { is: 'refused', sentence: message || `The service has refused it with the status ${response.status}.` };
}

function planSentence(answer: Members): string {
  const [used, limit] = [answer.used, answer.limit];
  const count =
    typeof used === 'number' && typeof limit === 'number' ? ` ${grouped(used)} of ${grouped(limit)} are used` : '';
  const plan = textIn(answer, 'current_plan');
  const full =
    textIn(answer, 'error') === 'plan_memory_limit'
      ? 'The memories of the plan are used up.'
      : 'The actions of this month are used up.';
  return `${full}${count}${count && plan ? ` on the plan ${plan}` : ''}${count ? '.' : ''}`;
}

const grouped = (count: number): string => count.toLocaleString('en');

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? { ...value } : {});

function textIn(members: Members, name: string): string {
  const value = members[name];
  return typeof value === 'string' ? value : '';
}
