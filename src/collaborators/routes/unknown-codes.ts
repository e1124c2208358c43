import type { OrganizationId } from '#core/ids.ts';

/**
 * The limit for unknown codes that one address reports with publishable keys: `burst` codes in a row, then one code per
 * `refillMs` milliseconds.
 */
export const UNKNOWN_CODE_LIMITS = { burst: 20, refillMs: 5_000, addresses: 100_000 };

/** The longest wait in milliseconds. All unknown codes are counted, including many that arrive at the same moment. */
const MAX_DEBT_MS = 600_000;

/** Counts unknown codes. Publishable keys are public, so without a limit an attacker could try all codes. */
export type UnknownCodes = {
  /** Returns how many seconds an address has to wait, or undefined if it can report a code now. */
  readonly waitOf: (organizationId: OrganizationId, network: string) => number | undefined;
  readonly count: (organizationId: OrganizationId, network: string) => void;
};

/**
 * Creates a counter in memory, separate for each process. `now` is a monotonic clock in milliseconds. Stores, for each
 * address, the time when its count is back to zero.
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
      // As with rate limits, this bounds the memory during a flood of addresses.
      if (forgottenAt.size >= addresses && !forgottenAt.has(name)) forgottenAt.clear();
      const until = Math.max(forgottenAt.get(name) ?? at, at) + refillMs;
      forgottenAt.set(name, Math.min(until, at + burst * refillMs + MAX_DEBT_MS));
    },
  };
}

function nameOf(organizationId: OrganizationId, network: string): string {
  return `${organizationId} ${network}`;
}
