import type { Reward } from '#programs/domain/program.ts';
import { fitsProgram, MAX_CUSTOM_RATES, MAX_OWN_REWARDS } from '#programs/domain/program-terms.ts';

/** The states of an invitation link. Only an open link can be used. The rate of a blocked link can't be applied. */
export const INVITATION_LINK_STATUSES = ['open', 'used-up', 'expired', 'revoked', 'blocked'] as const;
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
  /** The custom rate of partners who join with the link, or null for the program's rate. */
  readonly reward: Reward | null;
  readonly program: {
    readonly reward: Pick<Reward, 'type'>;
    /** The number of custom rates that the program has. */
    readonly customRates: number;
  };
};

/** Returns the status of an invitation link. `totalRates` is the number of custom rates of all programs together. */
export function invitationLinkStatus(
  { uses, maxUses, expiresAt, revokedAt, reward, program }: InvitationLinkState,
  totalRates: number,
  now: Date,
): InvitationLinkStatus {
  if (revokedAt !== null) return 'revoked';
  if (maxUses !== null && uses >= maxUses) return 'used-up';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return reward === null || rateFault(reward, program, totalRates) === undefined ? 'open' : 'blocked';
}

/**
 * Returns the reason why a program can't have the reward as one more custom rate, or undefined. `totalRates` is the
 * number of custom rates of all programs together.
 */
export function rateFault(
  reward: Reward,
  program: InvitationLinkState['program'],
  totalRates: number,
): 'conflicting' | 'too-many' | undefined {
  if (!fitsProgram(reward, program)) return 'conflicting';
  return program.customRates >= MAX_OWN_REWARDS || totalRates >= MAX_CUSTOM_RATES ? 'too-many' : undefined;
}
