import type { Call } from './interface.ts';

/** Of each call, by its id, how often it was answered with which status. */
export type Reached = ReadonlyMap<string, ReadonlyMap<number, number>>;

const PASSKEY = 'an authenticator has to sign what was asked a moment ago';
const APP = 'the code of an app at this moment is needed';
const PARKED = 'an event is parked by a fault of ours alone';

/**
 * Calls that no request drawn from the document succeeds at, by why. Each succeeds in test/sdk/examples/, as every call does;
 * that they refuse as they must is asked here all the same.
 */
export const NOT_BY_CHANCE: Readonly<Record<string, string>> = {
  createPasskey: PASSKEY,
  openSessionByPasskey: PASSKEY,
  createPortalPasskey: PASSKEY,
  openPortalSessionByPasskey: PASSKEY,
  confirmTotp: APP,
  removeTotp: APP,
  retryEvent: PARKED,
};

/** Whether a request of this call was answered with success. */
export function hasSucceeded(reached: Reached, id: string): boolean {
  return [...(reached.get(id)?.keys() ?? [])].some((status) => status < 300);
}

/** Calls that were tested by their refusals alone. */
export function neverSucceeded(calls: readonly Call[], reached: Reached): string[] {
  return calls.map(({ id }) => id).filter((id) => !(id in NOT_BY_CHANCE) && !hasSucceeded(reached, id));
}

/** What a service that is well never answers. */
const FIRST_FAILURE = 500;

/** Of the documented pairs of a call and a status below 500: how many there are, and the calls that lacked one, by status. */
export function unseenPairs(
  calls: readonly Call[],
  reached: Reached,
): { readonly documented: number; readonly unseen: ReadonlyMap<number, readonly string[]> } {
  const pairs = calls.flatMap(({ id, statuses }) =>
    statuses.filter((status) => status < FIRST_FAILURE).map((status) => ({ id, status })),
  );
  const missing = pairs.filter(({ id, status }) => reached.get(id)?.has(status) !== true);
  const unseen = Map.groupBy(missing, ({ status }) => status);
  return {
    documented: pairs.length,
    unseen: new Map([...unseen].map(([status, those]) => [status, those.map(({ id }) => id)])),
  };
}

/** Pairs that were seen, and that the document does not name. The judge tells each as a finding, too. */
export function undocumentedPairs(calls: readonly Call[], reached: Reached): string[] {
  return calls.flatMap(({ id, statuses }) =>
    [...(reached.get(id)?.keys() ?? [])]
      .filter((status) => status !== HEADERS_TOO_LARGE && !statuses.includes(status))
      .map((status) => `${id} ${status}`),
  );
}

/** Node answers it before anybody has read which call it was. */
const HEADERS_TOO_LARGE = 431;
