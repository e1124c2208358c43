/** Advice by error code. The problem's detail says what is wrong. */
export const problemHelp: Readonly<Record<string, string>> = {
  'connection-failed': 'Check your internet connection, then try again.',
  'timed-out': 'The service is temporarily unavailable. Try again in a moment.',
  'request-timeout': 'Try again with a better connection.',
  unavailable: 'Try again in a moment.',
  internal: 'If it happens again, see the service’s log.',
  'rate-limited': 'Wait a moment, then try again.',
  'precondition-failed': 'Reload the page, then repeat your change.',
  'invalid-transition': 'Reload the page to see the current status.',
  'not-found': 'It may have been deleted. Go back to the list.',
  'not-decided': 'Try again in a few seconds.',
  'scope-required': 'Ask an owner of your organization.',
  'tier-required': 'An owner can change the tier in the settings.',
  'under-review': 'Review it first, under Payouts, “In review”.',
  'still-owed': 'Pay the amount in a run first, or reject the commissions.',
  'already-credited': 'Check the sale’s commissions before you credit more.',
  'alias-taken': 'Choose another code. To move this one, add it under the partner’s links and codes.',
  'code-taken': 'Choose another code. A used code can’t be given to another partner.',
  'portal-taken': 'Choose another short name.',
  'domain-taken': 'Choose another domain, or ask the operator of this service to release it.',
  'already-listed': 'The value is already on a list. Remove it there first.',
  'too-many-entries': 'The lists are full. Remove an entry first.',
  'slug-taken': 'Choose another name.',
  'address-taken': 'Find the person with this address, or use another address.',
  'too-many-links': 'Retire links that are no longer used.',
  'too-many-webhooks': 'Delete a webhook that is no longer needed.',
  'too-many-programs': 'Delete a program that is no longer needed.',
  'too-many-connectors': 'Delete a connector that is no longer needed.',
  'too-many-invitations': 'Revoke invitations that are no longer needed.',
  'link-expired': 'Request a new link. Links work once, for a short time.',
  'body-too-large': 'Send less data at once, or a smaller file.',
};

/** Returns advice for an error code, or undefined if there is none. */
export function helpFor(code: string | undefined): string | undefined {
  return problemHelp[code ?? ''];
}
