/**
 * Advice by error code, shown after the problem's detail. Lists only codes whose detail contains no advice for users.
 */
export const problemHelp: Readonly<Record<string, string>> = {
  'connection-failed': 'Check your internet connection, then try again.',
  'timed-out': 'Try again in a moment.',
  'not-found': 'It may have been deleted. Go back to the list.',
  'under-review': 'Payouts to review are listed under Payouts, “In review”.',
  'alias-taken': 'Choose another code. To move this code, add it under the links and codes of its new partner.',
  'domain-taken': 'The operator of this service can release the domain.',
};

/** Texts by error code that replace the problem's detail, because that detail is written for API clients. */
export const problemDetails: Readonly<Record<string, string>> = {
  'request-timeout': 'The request took too long to arrive. Try again with a better connection.',
  unavailable: 'Try again in a moment.',
  internal: 'Try again. If it fails again, contact the operator of this service.',
  'log-in-too-old': 'Your last login was a while ago. Repeat the action, then log in.',
  'rate-limited': 'Wait a few minutes, then try again.',
  'precondition-failed': 'Reload the page, then repeat your change.',
  'tier-required': 'Essentials is required. An owner can change the tier in the settings.',
  'already-credited':
    'The partner already has a commission on this sale in this program. Choose another program or another partner.',
};

/** Returns advice for an error code, or undefined if there is none. */
export function helpFor(code: string | undefined): string | undefined {
  return problemHelp[code ?? ''];
}
