import type { Signs } from '#domain/hold.ts';
import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '#store/database.ts';
import { findErasedSelves, type Self } from '#store/erased-selves.ts';
import type { ClaimRow, ReportedSale } from '#store/sale-facts.ts';

type Recalled = Pick<ClaimRow, 'transactionId' | 'collaboratorId' | 'collaborator'> & { readonly signs: Signs };

/**
 * Lets a sale to an erased visitor be decided as it was before: a collaborator whom that visitor was has the visitor’s
 * number again, which is the erasure’s and nobody else’s. Asks nothing where no visitor was erased who was a collaborator.
 */
export async function recallSelves<Claim extends Recalled>(
  connection: Queryable,
  organizationId: OrganizationId,
  sales: readonly ReportedSale[],
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  const visitors = new Map(
    sales.flatMap(({ transactionId, visitorUserId }) =>
      visitorUserId !== null && visitorUserId < 0 ? [[transactionId, visitorUserId] as const] : [],
    ),
  );
  if (visitors.size === 0) return claims;
  const questions = claims.flatMap(({ transactionId, collaboratorId }) => {
    const visitor = visitors.get(transactionId);
    return visitor === undefined ? [] : [{ transactionId, collaboratorId, visitor }];
  });
  const selves = new Map(
    (await findErasedSelves(connection, organizationId, questions)).map((self) => [keyOf(self), self]),
  );
  return claims.map((claim) => {
    const self = selves.get(keyOf(claim));
    const visitor = visitors.get(claim.transactionId);
    if (self === undefined || visitor === undefined) return claim;
    const { collaborator, signs } = claim;
    return {
      ...claim,
      collaborator: self.isNow ? { ...collaborator, userId: visitor } : collaborator,
      signs: { ...signs, userIds: [...signs.userIds, visitor] },
    };
  });
}

function keyOf({ transactionId, collaboratorId }: Omit<Self, 'isNow'>): string {
  return `${transactionId} ${collaboratorId}`;
}
