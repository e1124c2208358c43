import type { Collaborator, CollaboratorMove, Conversion, ConversionReview } from '@whence/sdk';
import type { Payout, ReviewManyPayoutsAnswerRow, ReviewPayoutBody } from '@whence/sdk';
import { undoableChanges } from '#web/ui/feedback/undoable-changes.ts';

/* The changes that can still be undone. The counts of the sidebar need them on every page. */

export type ReviewAction = 'approve' | 'reject' | 'release';
export const conversionReviews = undoableChanges<ReviewAction, ConversionReview, Conversion>();

export type Resolution = ReviewPayoutBody['resolution'];
export const payoutReviews = undoableChanges<Resolution, ReviewManyPayoutsAnswerRow, Payout>();

/** An action that changes the status of partners. `approve` activates an applicant. */
export type MoveAction = 'approve' | 'activate' | 'deactivate' | 'reject';
export const collaboratorMoves = undoableChanges<MoveAction, CollaboratorMove, Collaborator>();
