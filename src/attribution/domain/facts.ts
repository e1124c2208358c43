import type { FraudReview } from '#collaborators/domain/collaborator.ts';
import type { CollaboratorId, EngagementId, EventId, OpportunityId, UserId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { FraudSignals } from '#programs/domain/hold.ts';
import type { GroupRule, PayableKind, ProgramVersion } from '#programs/domain/program.ts';
import type { Earned } from '#programs/domain/reward.ts';
import type { Line } from '#programs/domain/line.ts';
import type { UnengagedReason } from '#tracking/domain/visit.ts';

/* The facts that determine the decision on a sale, lead or renewal. */

/** A sale, lead or renewal, in the state at the time of its event. */
export type Sale = {
  readonly kind: PayableKind;
  readonly opportunityState: 'active' | 'invalid' | 'removed';
  readonly visitorUserId: UserId | null;
  readonly currency: string;
  readonly total: Minor;
  readonly soldAt: Instant;
  readonly lines: readonly Line[];
  /** The renewal's number, starting at 1, and the time of the renewed sale. Null for a sale or a lead. */
  readonly renewal: { readonly number: number; readonly originallySoldAt: Instant } | null;
  /**
   * Whether awards are rounded to the payable unit. False for decisions of earlier releases, which rounded to
   * hundredths.
   */
  readonly inPayableUnits: boolean;
};

/**
 * A claim to credit, with the configuration at the time of the sale's event. It is one of:
 *
 * - an engagement in the state that it had when the sale was reported
 * - for a renewal, a conversion of its sale
 * - a manual credit
 */
export type Candidate = {
  readonly engagementId: EngagementId | null;
  /**
   * The opportunity of the claim. Null for a manual credit on an order without an opportunity, and for the renewals of
   * such an order.
   */
  readonly opportunityId: OpportunityId | null;
  readonly program: ProgramVersion;
  /** The rule of the program's group, or null without a group. */
  readonly groupRule: GroupRule | null;
  readonly collaboratorId: CollaboratorId;
  readonly collaborator: CandidateCollaborator;
  /** The event of the sale that completed the engagement, or null. */
  readonly completedBy: EventId | null;
  readonly score: number;
  /**
   * The fixed weight of a renewal's claim or a manual credit. Null means that the attribution model determines the
   * weight.
   */
  readonly weight: bigint | null;
  readonly firstVisitId: EventId;
  readonly lastVisitId: EventId;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The earlier awards in the spans that `countedSpans` returns. Zeros if the program has no such spans. */
  readonly earned: { readonly tier: Earned; readonly cap: Earned };
  /** The fraud signals. For a program without fraud settings, only the signals of the deny list are loaded. */
  readonly fraudSignals: FraudSignals;
};

export type CandidateCollaborator = {
  readonly active: boolean;
  readonly userId: UserId | null;
  readonly enrolled: boolean;
  /** The collaborator's fraud review setting. Absent for a manual credit, because a person has already decided it. */
  readonly fraudReview?: FraudReview | undefined;
};

/** A collaborator with touches that belong to no engagement, and the reason. */
export type Unengaged = { readonly collaboratorId: CollaboratorId; readonly reason: UnengagedReason };
