import type { ExplainedHold } from '../domain/explanation.ts';
import { count } from '#core/count.ts';
import type { HoldReason, Holds } from '#programs/domain/hold.ts';

/**
 * Returns the measured values of a fraud signal as text, or undefined if it has none. `holds` are the fraud settings of
 * the program version of the decision.
 */
export function holdDetail(reason: HoldReason, hold: ExplainedHold, holds: Holds | null): string | undefined {
  const matches = MATCHES[reason]?.(hold);
  if (matches !== undefined) return matches.join(', ');
  return holds === null ? undefined : NUMBERS[reason]?.(hold, holds);
}

const MATCHES: Readonly<Partial<Record<HoldReason, (hold: ExplainedHold) => readonly string[] | undefined>>> = {
  'ad-referrer': ({ referrers }) => referrers,
  'buyer-details': ({ buyerDetails }) => buyerDetails,
  'deny-list': ({ deniedBy }) => deniedBy?.map(({ value }) => value),
};

const NUMBERS: Readonly<Partial<Record<HoldReason, (hold: ExplainedHold, holds: Holds) => string>>> = {
  'visits-from-address': ({ nthFromAddress }, { visitsFromAddress }) => `${nthFromAddress} of ${visitsFromAddress}`,
  'visits-of-collaborator': ({ nthOfCollaborator }, { visitsOfCollaborator }) =>
    `${nthOfCollaborator} of ${visitsOfCollaborator}`,
  'quick-sale': (_, { secondsToSale }) => count(Number(secondsToSale), 'second'),
};
