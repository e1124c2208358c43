import type { CollaboratorId, OpportunityId, ProgramId, UserId } from '#core/ids.ts';
import type { ProgramVersion, Trigger } from '#programs/domain/program.ts';

/** The type of aliases that are coupon codes. */
export const COUPON_ALIAS = 'coupon';

/**
 * The reason why a visit or signal neither created nor updated an engagement. The reason is stored with the visit or
 * signal, and shown in the explanation of a later sale.
 */
export type UnengagedReason =
  'self-referral' | 'too-many-engagements' | 'too-many-touches' | 'no-program' | 'not-enrolled';

/**
 * The maximum number of active engagements of an opportunity. A visit or signal that would create more is recorded with
 * the reason `too-many-engagements`. Each engagement is a candidate of each sale, so without a limit, one opportunity
 * could delay the decisions of all organizations.
 *
 * Two opportunities are not merged if they, with all opportunities merged into them, would have more than this number
 * of opportunities and engagements together.
 */
export const MAX_ENGAGEMENTS = 1_000;

/**
 * The maximum number of visits, coupons and custom events of an opportunity that count. Further touches are recorded
 * with the reason `too-many-touches`. A decision may add up all touches of an opportunity for each program. Without a
 * limit, one visitor could delay the decisions of all organizations. The limit doesn't apply while the active
 * engagements of the opportunity have fewer than MAX_TOUCHES points in total.
 */
export const MAX_TOUCHES = 5_000;

/**
 * The maximum number of collaborators for whom a custom event without a collaborator counts. It counts for the
 * collaborators with the newest touches.
 */
export const MAX_ENGAGED = 100;

export type Referrer = {
  readonly collaboratorId: CollaboratorId;
  readonly userId: UserId | null;
  readonly enrolledIn: ReadonlySet<ProgramId>;
};

export type Touch = { readonly programId: ProgramId; readonly points: number };

/**
 * Returns the touches of a visit or signal for `referrer`, with the trigger's points. It touches all active programs
 * that have `trigger` on and in which the collaborator can earn. If there are no such programs, also returns the
 * reason. The reason is `no-program` or `not-enrolled`, because this function doesn't know the opportunity.
 */
export function touchesOf(
  referrer: Pick<Referrer, 'enrolledIn'>,
  programs: readonly ProgramVersion[],
  trigger: Trigger,
): { readonly touches: readonly Touch[]; readonly reason: UnengagedReason | null } {
  const listening = programs.flatMap(({ status, triggers, programId, enrollment }) => {
    const points = Object.hasOwn(triggers, trigger) ? triggers[trigger] : undefined;
    return status === 'active' && points !== undefined ? [{ programId, enrollment, points }] : [];
  });
  const touches = listening
    .filter(({ enrollment, programId }) => enrollment === 'everyone' || referrer.enrolledIn.has(programId))
    .map(({ programId, points }) => ({ programId, points }));
  if (touches.length > 0) return { touches, reason: null };
  return { touches, reason: listening.length > 0 ? 'not-enrolled' : 'no-program' };
}

/**
 * An active opportunity that a visit can belong to: the opportunity in the request header, or the user's opportunity.
 */
export type Presented = { readonly id: OpportunityId; readonly userId: UserId | null };

export type Placement =
  | { readonly kind: 'create'; readonly userId: UserId }
  | { readonly kind: 'use'; readonly id: OpportunityId }
  | { readonly kind: 'claim'; readonly id: OpportunityId; readonly userId: UserId }
  | {
      readonly kind: 'merge';
      readonly survivor: OpportunityId;
      readonly merged: OpportunityId;
      readonly userId: UserId;
    };

/**
 * Decides to which opportunity the visit of a known user belongs. `byHeader` is the active opportunity in the request
 * header, and `byUser` the user's active opportunity. An opportunity of another user stays unchanged. Two opportunities
 * of the same visitor are merged into the older opportunity.
 */
export function placeVisit(userId: UserId, byHeader: Presented | undefined, byUser: Presented | undefined): Placement {
  const header = byHeader?.userId === null || byHeader?.userId === userId ? byHeader : undefined;
  if (header === undefined) return byUser === undefined ? { kind: 'create', userId } : { kind: 'use', id: byUser.id };
  if (header.userId === userId) return { kind: 'use', id: header.id };
  if (byUser === undefined) return { kind: 'claim', id: header.id, userId };
  const [survivor, merged] = header.id < byUser.id ? [header.id, byUser.id] : [byUser.id, header.id];
  return { kind: 'merge', survivor, merged, userId };
}
