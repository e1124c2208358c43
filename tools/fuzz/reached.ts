import type { Call } from './interface.ts';

/** The number of responses by call id and status. */
export type Reached = ReadonlyMap<string, ReadonlyMap<number, number>>;

const PASSKEY = 'an authenticator has to sign a recent challenge';
const APP = 'the current code of an authenticator app is required';
const ENDED = 'a backtest of little history ends before it can be canceled';
const DEAD_LETTERED = 'an event is dead-lettered only after a fault of the service';
const LISTED = 'the list has to be an export from the connector’s system';
const SIGNED = 'the sender has to sign the events of a connector';

/**
 * Calls that no generated request can make succeed, with the reason. The SDK examples make each of them succeed, as
 * they do for every call. The campaign still tests their refusals.
 */
export const NOT_BY_CHANCE: Readonly<Record<string, string>> = {
  createPasskey: PASSKEY,
  openSessionByPasskey: PASSKEY,
  createPortalPasskey: PASSKEY,
  openPortalSessionByPasskey: PASSKEY,
  confirmTotp: APP,
  removeTotp: APP,
  cancelBacktest: ENDED,
  retryEvent: DEAD_LETTERED,
  getConnectorEvent: SIGNED,
  retryConnectorEvent: SIGNED,
  dismissConnectorEvent: SIGNED,
  reconcileConnector: LISTED,
  recordListedOrders: LISTED,
  changePortalTaxDetails: 'the merchant has to ask for tax details first',
};

/** Returns whether any request of the call has succeeded. */
export function hasSucceeded(reached: Reached, id: string): boolean {
  return [...(reached.get(id)?.keys() ?? [])].some((status) => status < 300);
}

/**
 * Returns the ids of the calls that never succeeded, except the calls in NOT_BY_CHANCE. Only their refusals were
 * tested.
 */
export function neverSucceeded(calls: readonly Call[], reached: Reached): string[] {
  return calls.map(({ id }) => id).filter((id) => !(id in NOT_BY_CHANCE) && !hasSucceeded(reached, id));
}

/** The lowest status that a healthy service never returns. */
const FIRST_FAILURE = 500;

/**
 * Counts the documented pairs of a call and a status below 500. Also returns, for each of these statuses, the calls
 * that document the status but never returned it.
 */
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

/**
 * Returns the observed pairs of a call and a status that the document does not name. The judge also reports each of
 * them as a finding.
 */
export function undocumentedPairs(calls: readonly Call[], reached: Reached): string[] {
  return calls.flatMap(({ id, statuses }) =>
    [...(reached.get(id)?.keys() ?? [])]
      .filter((status) => status !== HEADERS_TOO_LARGE && !statuses.includes(status))
      .map((status) => `${id} ${status}`),
  );
}

/** Node sends the status 431 before it is known which call was requested. */
const HEADERS_TOO_LARGE = 431;
