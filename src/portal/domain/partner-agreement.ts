/** The maximum length of a partner agreement, in characters. */
export const MAX_AGREEMENT = 50_000;

/** The fault of an application that doesn't accept the current version of the partner agreement. */
export type AgreementFault = 'not-accepted' | 'outdated';

/**
 * Checks the version that an applicant accepted. `current` is the version in force, or undefined if there is no
 * agreement. Returns undefined if the application can continue.
 */
export function agreementFault(current: number | undefined, accepted: number | undefined): AgreementFault | undefined {
  if (current === undefined || accepted === current) return undefined;
  return accepted === undefined ? 'not-accepted' : 'outdated';
}
