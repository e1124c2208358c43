import type { TestService } from '#test/support/service.ts';
import { differences } from './comparison.ts';
import type { Fact } from './facts.ts';
import type { Lateness } from './lateness.ts';
import { openMerchant, say, settle, soldAt, type Merchant } from './merchant.ts';
import { foresee, tell } from './oracle.ts';
import { emptyWorld, type World } from './world.ts';

/** A story that is told to the service and to the oracle at once, each fact to one after the other. */
export type Story = { readonly merchant: Merchant; readonly world: World; readonly told: Fact[] };

export async function openStory(service: TestService, name: string, lateness?: Lateness): Promise<Story> {
  return { merchant: await openMerchant(service, name, lateness), world: emptyWorld(), told: [] };
}

/** Tells the next fact. Answers what the service makes of it otherwise than the oracle, or nothing. */
export async function tellBoth({ merchant, world, told }: Story, fact: Fact): Promise<string[]> {
  told.push(fact);
  const foreseen = foresee(world, fact);
  const { isTaken, reply } = await say(merchant, fact);
  if (isTaken) tell(world, fact, await soldAt(merchant, fact));
  if (foreseen === 'open' || isTaken === (foreseen === 'taken')) return [];
  return [`- reception: ${foreseen}`, `+ reception: ${reply.status} ${reply.text}`];
}

/** Whether everything that it needs has been told; false for what follows from a step that was left out. */
export function isPossible(world: World, fact: Fact): boolean {
  try {
    const copy = structuredClone(world);
    foresee(copy, fact);
    tell(copy, fact, new Date());
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

/** Short enough to be read, long enough to be told again. */
export function factText(fact: Fact): string {
  return JSON.stringify(fact);
}
