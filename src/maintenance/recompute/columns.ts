import type { Fact, Place } from '../../domain/market/fact.js';
import type { SummedFact } from '../../domain/market/state/sums.js';

/** The facts of a receipt that are needed once more when all receipts are known. */
export type Remembered = Place & SummedFact & Pick<Fact, 'agent' | 'vendor' | 'capability' | 'sector' | 'ended_ms'>;

/** Facts of many receipts in compact form: 75 bytes each, a tenth of what objects take. */
interface Columns {
  readonly count: number;
  add(fact: Remembered): void;
  /** All facts, in recorded order. */
  inRecordedOrder(): Iterable<Remembered>;
}

const hashBytes = 32;
/** A cost that is not stated. */
const none = -1;
const nothing = '';

export function createColumns(): Columns {
  const texts = createTexts();
  let capacity = 1024;
  let count = 0;
  let hashes = Buffer.alloc(capacity * hashBytes);
  let numbers = new Float64Array(3 * capacity);
  let codes = new Uint32Array(7 * capacity);

  function grow(): void {
    capacity *= 2;
    const [oldHashes, oldNumbers, oldCodes] = [hashes, numbers, codes];
    hashes = Buffer.alloc(capacity * hashBytes);
    numbers = new Float64Array(3 * capacity);
    codes = new Uint32Array(7 * capacity);
    oldHashes.copy(hashes);
    numbers.set(oldNumbers);
    codes.set(oldCodes);
  }

  const recordedMs = (at: number): number => numbers[3 * at] ?? 0;
  const byPlace = (a: number, b: number): number =>
    recordedMs(a) - recordedMs(b) ||
    hashes.compare(hashes, b * hashBytes, (b + 1) * hashBytes, a * hashBytes, (a + 1) * hashBytes);

  function read(at: number): Remembered {
    const [recorded_ms = 0, ended_ms = 0, cost = none] = numbers.subarray(3 * at, 3 * at + 3);
    const [agent, vendor, capability, sector, status, latency_bucket = 0, violated] = codes.subarray(
      7 * at,
      7 * at + 7,
    );
    return {
      recorded_ms,
      hash: hashes.toString('hex', at * hashBytes, (at + 1) * hashBytes),
      ended_ms,
      cost_micros: cost === none ? null : cost,
      agent: texts.of(agent),
      vendor: texts.of(vendor),
      capability: texts.of(capability) || null,
      sector: texts.of(sector) || null,
      status: texts.of(status),
      latency_bucket,
      scope_violated: violated === 1,
    };
  }

  return {
    get count() {
      return count;
    },
    add(fact) {
      if (count === capacity) grow();
      hashes.write(fact.hash, count * hashBytes, 'hex');
      const [number, code] = [3 * count, 7 * count];
      numbers[number] = fact.recorded_ms;
      numbers[number + 1] = fact.ended_ms;
      numbers[number + 2] = fact.cost_micros ?? none;
      codes[code] = texts.code(fact.agent);
      codes[code + 1] = texts.code(fact.vendor);
      codes[code + 2] = texts.code(fact.capability ?? nothing);
      codes[code + 3] = texts.code(fact.sector ?? nothing);
      codes[code + 4] = texts.code(fact.status);
      codes[code + 5] = fact.latency_bucket;
      codes[code + 6] = fact.scope_violated ? 1 : 0;
      count += 1;
    },
    *inRecordedOrder() {
      const order = Uint32Array.from({ length: count }, (_, at) => at).sort(byPlace);
      for (const at of order) yield read(at);
    },
  };
}

/** Numbers for texts that occur often. */
function createTexts() {
  const codes = new Map<string, number>();
  const texts: string[] = [];
  return {
    code(text: string): number {
      const known = codes.get(text);
      if (known !== undefined) return known;
      codes.set(text, texts.length);
      return texts.push(text) - 1;
    },
    of: (code: number | undefined): string => texts[code ?? 0] ?? nothing,
  };
}
