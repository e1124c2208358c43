import type { CollaboratorId, OpportunityId, ProgramId, UserId } from './ids.ts';
import type { ProgramVersion, Trigger } from './program.ts';

/** The triggers that every organization has; all others are slugs of its custom events. */
export const SITE_VISIT: Trigger = 'site-visit';
export const COUPON_APPLIED: Trigger = 'coupon-applied';

/** The aliases that stand for coupon codes are of this type. */
export const COUPON_ALIAS = 'coupon';

/** Why a visit or signal made no engagement: kept with it, shown in the explanation of a sale that follows. */
export type UnengagedReason = 'self-referral' | 'no-program' | 'not-enrolled';

export type Referrer = {
  readonly collaboratorId: CollaboratorId;
  readonly userId: UserId | null;
  readonly enrolledIn: ReadonlySet<ProgramId>;
};

export type Touch = { readonly programId: ProgramId; readonly points: number };

/**
 * What a visit or signal for `referrer` touches: every active program that has `trigger` on and in which the collaborator
 * may earn, with that trigger's points. Without any, the reason. (Self-referral is told where the visitor is known.)
 */
export function touchesOf(
  referrer: Referrer,
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

/** An active opportunity that a visit names: by its header, or as the one of its user. */
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
 * Where the visit of a known user goes: `byHeader` is the opportunity that its header presents, `byUser` the active one
 * of the user. An opportunity of another user stays as it is; two of the same visitor become the one created first.
 */
export function placeVisit(userId: UserId, byHeader: Presented | undefined, byUser: Presented | undefined): Placement {
  const header = byHeader?.userId === null || byHeader?.userId === userId ? byHeader : undefined;
  if (header === undefined) return byUser === undefined ? { kind: 'create', userId } : { kind: 'use', id: byUser.id };
  if (header.userId === userId) return { kind: 'use', id: header.id };
  if (byUser === undefined) return { kind: 'claim', id: header.id, userId };
  const [survivor, merged] = header.id < byUser.id ? [header.id, byUser.id] : [byUser.id, header.id];
  return { kind: 'merge', survivor, merged, userId };
}
