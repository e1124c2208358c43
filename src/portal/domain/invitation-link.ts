export const INVITATION_LINK_STATUSES = ['open', 'used-up', 'expired', 'revoked'] as const;
export type InvitationLinkStatus = (typeof INVITATION_LINK_STATUSES)[number];

/** The largest allowed value of `maxUses`. */
export const MAX_INVITATION_USES = 100_000;
export const MAX_INVITATION_NOTE = 255;

export type InvitationLinkState = {
  readonly uses: number;
  /** The maximum number of partners who can join with the link, or null for any number. */
  readonly maxUses: number | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
};

/** Returns the status of an invitation link. Only an open link can be used. */
export function invitationLinkStatus(
  { uses, maxUses, expiresAt, revokedAt }: InvitationLinkState,
  now: Date,
): InvitationLinkStatus {
  if (revokedAt !== null) return 'revoked';
  if (maxUses !== null && uses >= maxUses) return 'used-up';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'open';
}
