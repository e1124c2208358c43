import type { Whence } from '@whence/sdk';
import { type Award, givenBack, worthAfter } from './earnings.ts';
import type { Dice } from './dice.ts';
import type { Outcome, Placed, Shopper } from './shopper.ts';
import type { Made, World } from './world.ts';

/** A range of cents. The bounds differ if some reports were never answered. */
type Span = { readonly least: bigint; readonly most: bigint };
const NOTHING: Span = { least: 0n, most: 0n };

/** The earnings of one collaborator in one currency: expected, and as the service reports them. */
export type Earned = {
  readonly collaborator: string;
  readonly currency: string;
  readonly expected: Span;
  readonly found: bigint;
};

export type Audit = {
  readonly earned: readonly Earned[];
  /** A sentence for each fault. */
  readonly faults: readonly string[];
  /** The number of orders that were checked individually. */
  readonly lookedAt: number;
};

/** The service's client, and the signal that ends the calls. */
type Service = { readonly whence: Whence; readonly signal: AbortSignal };

/** The number of orders that are checked individually. The seed chooses them. */
const SAMPLE = 50;
/** Above this number, the service only estimates the count. */
const COUNTED_EXACTLY = 10_000;
const SHOWN_FAULTS = 20;

/** The expected result of a run. It keeps sums and a sample, so its size does not depend on the length of the run. */
export class Books {
  /** By referrer and currency. */
  readonly #expected = new Map<number, Map<string, Span>>();
  readonly #sample: Placed[] = [];
  readonly #dice: Dice;
  /** The number of orders that the service has accepted, and of those with an unknown outcome. */
  orders = 0;
  unknown = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** Records the orders of a shopper who has finished. */
  close({ placed }: Shopper): void {
    for (const order of placed.values()) this.#take(order);
  }

  /**
   * Compares the service with the expected result, using its public API only. Call it once nothing waits to be decided.
   */
  async audit(whence: Whence, world: World, name: string, signal: AbortSignal): Promise<Audit> {
    const faults: string[] = [];
    const service = { whence, signal };
    await this.#checkCount(service, name, faults);
    for (const placed of this.#sample) await checkOrder(service, world.made, name, placed, faults);
    const earned = world.made === undefined ? [] : await this.#checkEarned(service, world.made, faults);
    return { earned, faults: faults.slice(0, SHOWN_FAULTS), lookedAt: this.#sample.length };
  }

  #take(placed: Placed): void {
    if (placed.sold === 'refused') return;
    if (placed.sold === 'unknown') this.unknown += 1;
    else this.#sampleOf((this.orders += 1), placed);
    for (const award of placed.awards) {
      const expected = this.#expected.get(award.referrer) ?? new Map<string, Span>();
      this.#expected.set(award.referrer, expected);
      const before = expected.get(placed.order.currency) ?? NOTHING;
      const { least, most } = spanOf(placed, award);
      expected.set(placed.order.currency, { least: before.least + least, most: before.most + most });
    }
  }

  /** Adds an order to the sample. Every order so far has the same chance of being in the sample. */
  #sampleOf(count: number, placed: Placed): void {
    if (placed.partRefunded === 'unknown' || placed.refunded === 'unknown') return;
    if (this.#sample.length < SAMPLE) {
      this.#sample.push(placed);
      return;
    }
    const at = this.#dice.roll(count);
    if (at < SAMPLE) this.#sample[at] = placed;
  }

  async #checkCount({ whence, signal }: Service, name: string, faults: string[]): Promise<void> {
    const { estimatedCount: found } = await whence.transactions.list({ source: name, perPage: 1 }, { signal });
    const most = this.orders + this.unknown;
    if (most > COUNTED_EXACTLY) return;
    if (found < this.orders || found > most)
      faults.push(`${this.orders} orders were accepted, and there are ${found}.`);
  }

  async #checkEarned(service: Service, made: Made, faults: string[]): Promise<Earned[]> {
    const earned: Earned[] = [];
    for (const [referrer, { id, name }] of made.collaborators.entries()) {
      const { ours, all } = await conversionsOf(service, id, made);
      await checkBalance(service, { id, name }, all, faults);
      const expected = this.#expected.get(referrer) ?? new Map<string, Span>();
      for (const currency of [...new Set([...ours.keys(), ...expected.keys()])].sort()) {
        const span = expected.get(currency) ?? NOTHING;
        const found = ours.get(currency) ?? 0n;
        earned.push({ collaborator: name, currency, expected: span, found });
        if (found < span.least || found > span.most) {
          faults.push(`${name} should have earned ${shown(span)} cents in ${currency}, and has ${found}.`);
        }
      }
    }
    return earned;
  }
}

/** Returns the final worth of an award, as a range if it is unknown whether the order or its refunds were accepted. */
function spanOf(placed: Placed, award: Award): Span {
  const { order, sold, part, partRefunded, refunded } = placed;
  const reduced = part === undefined ? award.cents : worthAfter(order, award, part);
  const worth = (isSold: boolean, isReduced: boolean, isGone: boolean): bigint => {
    if (!isSold || isGone) return 0n;
    return isReduced ? reduced : award.cents;
  };
  const mayBe = (outcome: Outcome | undefined): boolean => outcome === 'accepted' || outcome === 'unknown';
  const isSure = (outcome: Outcome | undefined): boolean => outcome === 'accepted';
  return {
    least: worth(isSure(sold), mayBe(partRefunded), mayBe(refunded)),
    most: worth(mayBe(sold), isSure(partRefunded), isSure(refunded)),
  };
}

async function checkOrder(
  { whence, signal }: Service,
  made: Made | undefined,
  source: string,
  placed: Placed,
  faults: string[],
): Promise<void> {
  const { order, part, partRefunded, refunded } = placed;
  const { externalId, totalCents } = order;
  const { data } = await whence.transactions.list({ source, externalId }, { signal });
  const [transaction] = data;
  if (transaction === undefined || data.length > 1) {
    faults.push(`Order ${externalId} was accepted, and there are ${data.length} of it.`);
    return;
  }
  const partly = part !== undefined && partRefunded === 'accepted' ? givenBack(order, part) : 0;
  const back = refunded === 'accepted' ? totalCents : partly;
  if (transaction.total !== totalCents || transaction.refundedAmount !== back) {
    const { total, refundedAmount } = transaction;
    faults.push(
      `Order ${externalId}: ${back} of ${totalCents} are refunded, and it has ${refundedAmount} of ${total}.`,
    );
  }
  if (made === undefined) return;
  const conversions = await whence.conversions
    .list({ transactionId: transaction.id }, { signal })
    .toArray({ limit: MOST_OF_AN_ORDER });
  const found = conversions
    .filter(({ programId, status }) => made.programIds.includes(programId) && status !== 'rejected')
    .map(({ programId, collaboratorId, amount }) => `${programId}:${collaboratorId}:${amount}`);
  const expected = placed.awards.flatMap((award) => {
    const { least } = spanOf(placed, award);
    const collaborator = made.collaborators[award.referrer];
    return least === 0n ? [] : [`${made.programIds[award.program]}:${collaborator?.id}:${least}`];
  });
  if (found.sort().join() !== expected.sort().join()) {
    faults.push(
      `Order ${externalId} should earn (program:collaborator:cents) ${expected.join()}, and earns ${found.join()}.`,
    );
  }
}

const MOST_OF_AN_ORDER = 1_000;

/**
 * Returns the sums of conversions that are not rejected, by currency: for the programs of the run, and for all
 * programs.
 */
async function conversionsOf(
  { whence, signal }: Service,
  collaboratorId: number,
  { programIds }: Made,
): Promise<{ ours: Map<string, bigint>; all: Map<string, bigint> }> {
  const ours = new Map<string, bigint>();
  const all = new Map<string, bigint>();
  const conversions = whence.conversions.list({ collaboratorId, sort: 'id' }, { signal });
  for await (const { programId, status, amount, currency } of conversions) {
    if (status === 'rejected') continue;
    for (const sums of programIds.includes(programId) ? [ours, all] : [all]) {
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
    }
  }
  return { ours, all };
}

/** Checks that the ledger agrees with the conversions. */
async function checkBalance(
  { whence, signal }: Service,
  { id, name }: Made['collaborators'][number],
  earned: ReadonlyMap<string, bigint>,
  faults: string[],
): Promise<void> {
  const balances = await whence.collaborators.getBalance(id, { signal });
  const owed = new Map(
    balances.map(({ currency, draft, pending, inPayout, paid }) => [
      currency,
      BigInt(draft + pending + inPayout + paid),
    ]),
  );
  for (const currency of new Set([...owed.keys(), ...earned.keys()])) {
    const [balance, sum] = [owed.get(currency) ?? 0n, earned.get(currency) ?? 0n];
    if (balance !== sum)
      faults.push(`${name}: the balance is ${balance} cents in ${currency}, the conversions add up to ${sum}.`);
  }
}

function shown({ least, most }: Span): string {
  return least === most ? String(least) : `${least} to ${most}`;
}
