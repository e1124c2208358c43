import type { CandidateReason, SaleReason } from '../domain/explanation.ts';
import type { HoldReason } from '#programs/domain/hold.ts';
import type { UnengagedReason } from '#tracking/domain/visit.ts';

/** The sentence for each reason code, as the docs list them. */
export const REASON_SENTENCES: Readonly<Record<CandidateReason | SaleReason, string>> = {
  'program-inactive': 'the program was not active',
  'event-not-paid': 'the program does not pay for this kind of event',
  'collaborator-inactive': 'the collaborator was not active',
  'not-enrolled': 'the collaborator was not enrolled in the program',
  'self-referral': 'the collaborator is the buyer',
  'already-credited': 'an earlier sale of this visitor was credited, and the program credits each visitor once',
  'window-expired': 'the last touch was before the program’s window',
  'renewal-limit': 'the program no longer pays renewals of this sale',
  'currency-mismatch': 'an amount of the program (reward, cap, minimum or tier) is in another currency than the sale',
  'nothing-counted': 'the counted lines add up to 0 or less',
  'below-minimum': 'the total is below the program’s minimum',
  'lost-in-group': 'another program of its group pays',
  'lost-to-newer': 'a newer touch gets the credit',
  'lost-to-older': 'an older touch gets the credit',
  'lost-to-higher': 'a higher score gets the credit',
  'share-is-zero': 'the share rounds to nothing',
  'cap-reached': 'the program’s cap per collaborator and period was reached',
  'no-program': 'no active program tracks this touch',
  'too-many-engagements': 'the visitor had too many engagements',
  'too-many-touches': 'the visitor had too many touches',
  'no-engagement': 'no touch of a collaborator counted',
  'opportunity-invalid': 'the opportunity is invalid',
  'opportunity-removed': 'the opportunity no longer exists',
  'no-original-conversion':
    'the renewed sale has no conversions, has only conversions that a person rejected, or was fully refunded before',
};

/**
 * The sentences for a touch that belongs to no engagement, in explanations and in the console's journeys. They can't
 * refer to a program.
 */
export const UNENGAGED_SENTENCES: Readonly<Record<UnengagedReason, string>> = {
  'self-referral': 'the visitor is the collaborator',
  'too-many-engagements': REASON_SENTENCES['too-many-engagements'],
  'too-many-touches': REASON_SENTENCES['too-many-touches'],
  'no-program': REASON_SENTENCES['no-program'],
  'not-enrolled': 'the collaborator isn’t in a program that tracks this touch',
};

export const HOLD_SENTENCES: Readonly<Record<HoldReason, string>> = {
  'visits-from-address':
    'one address visited through this collaborator more often within an hour than the program allows',
  'visits-of-collaborator': 'this collaborator had more visits within an hour than the program allows',
  'own-coupon': 'the buyer used a coupon of the collaborator, and the buyer’s user id is or was the collaborator’s own',
  'quick-sale': 'the time since the first touch was shorter than the program allows',
  'ad-referrer': 'a visit came from a host that the program treats as advertising',
  'buyer-details': 'the buyer shares details with the collaborator',
  'deny-list': 'the buyer or a visit is on the deny list',
  'watched-collaborator': 'every commission of this collaborator is sent to review',
};
