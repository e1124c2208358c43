import type { OrganizationId } from '#core/ids.ts';

/**
 * The limit for unknown codes that one network reports to one organization with publishable keys: `burst` codes in a
 * row, then one code per `refillMs` milliseconds. At most `addresses` pairs of a network and an organization are
 * counted at the same time.
 */
export const UNKNOWN_CODE_LIMITS = { burst: 20, refillMs: 5_000, addresses: 100_000 };

/**
 * The maximum wait in milliseconds, on top of `refillMs`. All unknown codes are counted, so codes that arrive at the
 * same moment could otherwise cause a longer wait.
 */
const MAX_DEBT_MS = 600_000;

/** Counts unknown codes. Publishable keys are public, so without a limit an attacker could try all codes. */
export type UnknownCodes = {
  /**
   * Returns the number of seconds that a network must wait before its next report, or undefined if it can report now.
   */
  readonly waitOf: (organizationId: OrganizationId, network: string) => number | undefined;
  readonly count: (organizationId: OrganizationId, network: string) => void;
};

/**
 * Creates a counter in the memory of this process. For each organization and network, it stores the time when the count
 * is back to zero. `now` is a monotonic clock in milliseconds.
 */
export function unknownCodes(now: () => number = () => performance.now()): UnknownCodes {
  const { burst, refillMs, addresses } = UNKNOWN_CODE_LIMITS;
  const forgottenAt = new Map<string, number>();

  return {
    waitOf: (organizationId, network) => {
      const until = forgottenAt.get(nameOf(organizationId, network));
      const waitMs = until === undefined ? 0 : until - now() - (burst - 1) * refillMs;
      return waitMs > 0 ? Math.ceil(waitMs / 1_000) : undefined;
    },
    count: (organizationId, network) => {
      const name = nameOf(organizationId, network);
      const at = now();
      // Forget all counts once the maximum number of counts is reached, so that a flood of networks can't exhaust the
      // memory. Rate limits do the same.
      if (forgottenAt.size >= addresses && !forgottenAt.has(name)) forgottenAt.clear();
      const until = Math.max(forgottenAt.get(name) ?? at, at) + refillMs;
      forgottenAt.set(name, Math.min(until, at + burst * refillMs + MAX_DEBT_MS));
    },
  };
}

function nameOf(organizationId: OrganizationId, network: string): string {
  return `${organizationId} ${network}`;
}
