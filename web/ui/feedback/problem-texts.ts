/** Advice by error code. The problem's detail says what is wrong. */
export const problemHelp: Readonly<Record<string, string>> = {
  'connection-failed': 'Look whether you are online, then try again.',
  'timed-out': 'The service is temporarily unavailable. Retry after the number of seconds in Retry-After.',
  'request-timeout': 'Try again, perhaps where the connection is better.',
  unavailable: 'It is tried again in a moment.',
  internal: 'If it happens again, the service’s log has more.',
  'rate-limited': 'Wait a moment, then try again.',
  'precondition-failed': 'Load the page again to see what is new, then repeat your change.',
  'invalid-transition': 'Load the page again to see where it stands now.',
  'not-found': 'It may be gone meanwhile: go back to the list that it was in.',
  'not-decided': 'It is decided within seconds: try again in a moment.',
  'scope-required': 'Ask an owner of your organization.',
  'tier-required': 'An owner can change the tier in the settings.',
  'under-review': 'Decide first what becomes of what went back: “To review” under Payouts.',
  'still-owed': 'Pay it in a run first, or reject what is owed.',
  'already-credited': 'Look at what the sale has led to before you credit more.',
  'alias-taken': 'Choose another code, or move this one: add it to the partner’s links and codes.',
  'code-taken': 'Choose another code: one that was given out once is never another’s.',
  'portal-taken': 'Choose another short name.',
  'slug-taken': 'Choose another name.',
  'address-taken': 'Find the person with this address, or use another address.',
  'too-many-links': 'Retire links that nobody uses any more.',
  'too-many-webhooks': 'Remove one that is not needed any more.',
  'too-many-invitations': 'Revoke invitations that nobody will accept any more.',
  'link-expired': 'Ask for a new one: links work once, and not for long.',
  'body-too-large': 'Send less at once, or a smaller file.',
};

/** Returns advice for an error code, or undefined if there is none. */
export function helpFor(code: string | undefined): string | undefined {
  return problemHelp[code ?? ''];
}
