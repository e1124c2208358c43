import type { TestService } from '#test/support/service.ts';
import { differences } from './comparison.ts';
import type { Fact } from './facts.ts';
import type { Lateness } from './lateness.ts';
import { openMerchant, sendFact, settle, soldAt, type Merchant } from './merchant.ts';
import { foresee, applyFact } from './oracle.ts';
import { emptyWorld, type World } from './world.ts';

/** A story whose facts are applied to both the service and the oracle. */
export type Story = { readonly merchant: Merchant; readonly world: World; readonly facts: Fact[] };

export async function openStory(service: TestService, name: string, lateness?: Lateness): Promise<Story> {
  return { merchant: await openMerchant(service, name, lateness), world: emptyWorld(), facts: [] };
}

/** Applies the next fact to the service and the oracle. Returns the difference if only one of them accepts the fact. */
export async function reportToBoth({ merchant, world, facts }: Story, fact: Fact): Promise<string[]> {
  facts.push(fact);
  const foreseen = foresee(world, fact);
  const { isTaken, reply } = await sendFact(merchant, fact);
  if (isTaken) applyFact(world, fact, await soldAt(merchant, fact));
  if (foreseen === 'open' || isTaken === (foreseen === 'taken')) return [];
  return [`- reception: ${foreseen}`, `+ reception: ${reply.status} ${reply.text}`];
}

/** Returns whether everything that a fact needs exists. A fact may depend on a fact that a shorter story omits. */
export function isPossible(world: World, fact: Fact): boolean {
  try {
    const copy = structuredClone(world);
    foresee(copy, fact);
    applyFact(copy, fact, new Date());
    return true;
  } catch {
    return false;
  }
}

export async function settled({ merchant }: Story): Promise<void> {
  await settle(merchant);
}

export function compare({ merchant, world }: Story, how: 'money' | 'all'): Promise<string[]> {
  return differences(merchant, world, how);
}

/** Returns the fact as text that can be read and replayed. */
export function factText(fact: Fact): string {
  return JSON.stringify(fact);
}
