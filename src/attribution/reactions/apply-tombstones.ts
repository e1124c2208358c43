import type { FraudSignals } from '#programs/domain/hold.ts';
import { isErasedUser } from '#core/user.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findTombstones, type TombstoneMatch } from '#collaborators/store/self-referral-tombstones.ts';
import type { ClaimRow } from '../store/sale-facts.ts';
import type { ReportedSale } from '../store/reported-sales.ts';

type Recalled = Pick<ClaimRow, 'transactionId' | 'collaboratorId' | 'collaborator'> & {
  readonly fraudSignals: FraudSignals;
};

/**
 * Returns the claims with the self-referrals of erased visitors restored, so that sales are decided as before the
 * erasure. If the collaborator had the visitor's user id at the sale's event, the claim's collaborator gets the
 * visitor's tombstone id. The fraud signals get that id even if the collaborator had the user id only before the event.
 * Runs no query if no visitor of the sales was erased.
 */
export async function applyTombstones<Claim extends Recalled>(
  tenant: Tenant,
  sales: readonly ReportedSale[],
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  const visitors = new Map(
    sales.flatMap(({ transactionId, visitorUserId }) =>
      visitorUserId !== null && isErasedUser(visitorUserId) ? [[transactionId, visitorUserId] as const] : [],
    ),
  );
  if (visitors.size === 0) return claims;
  const questions = claims.flatMap(({ transactionId, collaboratorId }) => {
    const visitor = visitors.get(transactionId);
    return visitor === undefined ? [] : [{ transactionId, collaboratorId, visitor }];
  });
  const selves = new Map((await findTombstones(tenant, questions)).map((self) => [keyOf(self), self]));
  return claims.map((claim) => {
    const self = selves.get(keyOf(claim));
    const visitor = visitors.get(claim.transactionId);
    if (self === undefined || visitor === undefined) return claim;
    const { collaborator, fraudSignals } = claim;
    return {
      ...claim,
      collaborator: self.isNow ? { ...collaborator, userId: visitor } : collaborator,
      fraudSignals: { ...fraudSignals, userIds: [...fraudSignals.userIds, visitor] },
    };
  });
}

function keyOf({ transactionId, collaboratorId }: Omit<TombstoneMatch, 'isNow'>): string {
  return `${transactionId} ${collaboratorId}`;
}
