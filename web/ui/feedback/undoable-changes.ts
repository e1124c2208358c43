import { type ReactNode, useSyncExternalStore } from 'react';
import { sendInParts, type Sent } from './in-parts.ts';
import { toast } from './toast.tsx';

/** The service's outcome for one id. */
type Outcome = { readonly id: number; readonly outcome: string };

/** The rows of the last change that the service refused. `of` is the number of all rows of that change. */
export type Refused<Action, Of extends Outcome> = {
  readonly action: Action;
  readonly rows: readonly Of[];
  readonly of: number;
};

export type ChangeState<Action, Of extends Outcome, Row> = {
  /** The actions that can still be undone, by the id of the row. */
  readonly undoable: ReadonlyMap<number, Action>;
  /**
   * Returns the rows with changes that data does not contain yet if it was loaded at the given time, in milliseconds
   * since 1970. Counts and totals subtract these rows, so that all of them agree before and after a reload.
   */
  readonly changingRows: (loadedAt: number) => readonly Row[];
  /** Returns whether `changingRows` has the row. */
  readonly isChanging: (row: { readonly id: number }, loadedAt: number) => boolean;
  /** The last refusals, until the user dismisses them or the same rows are sent again. */
  readonly refused: Refused<Action, Of> | undefined;
  /** The progress of a bulk change while it is sent. */
  readonly sent: Sent | undefined;
};

export type UndoableChange<Action, Of extends Outcome, Row> = {
  readonly action: Action;
  readonly rows: readonly Row[];
  readonly title: string;
  readonly description?: ReactNode;
  /** Sends some ids to the service, at most as many as one call accepts. */
  readonly send: (ids: number[]) => PromiseLike<readonly Of[]>;
  /** Reloads the changed data. */
  readonly reload: () => Promise<unknown>;
  /** Reports the result to the user. */
  readonly showResult: (done: number, refused: Refused<Action, Of>) => void;
};

/** Undoable changes of one kind, while the page is open. */
export type UndoableChanges<Action, Of extends Outcome, Row> = {
  readonly useChangeState: () => ChangeState<Action, Of, Row>;
  readonly dismissRefused: () => void;
  /**
   * Shows a change as done, with a button to undo it. The service can’t undo the change, so the change is sent after a
   * few seconds, or when the user leaves the page.
   */
  readonly begin: (change: UndoableChange<Action, Of, Row>) => void;
};

/** Creates a store outside of the components, so that changes stay undoable after navigation. */
export function undoableChanges<Action, Of extends Outcome, Row extends { readonly id: number }>(): UndoableChanges<
  Action,
  Of,
  Row
> {
  /** The changes that are not completed. `sentAt` is set once the service has responded or sending has failed. */
  let changes: readonly { readonly action: Action; readonly rows: readonly Row[]; sentAt?: number }[] = [];
  let state: ChangeState<Action, Of, Row> = stateOf({ refused: undefined, sent: undefined });
  const listeners = new Set<() => void>();

  function useChangeState(): ChangeState<Action, Of, Row> {
    return useSyncExternalStore(subscribe, () => state);
  }

  function begin({
    action,
    rows,
    title,
    description,
    send,
    reload,
    showResult,
  }: UndoableChange<Action, Of, Row>): void {
    const ids = rows.map(({ id }) => id);
    const change: (typeof changes)[number] = { action, rows };
    changes = [...changes, change];
    updateState({});
    const removeUndoable = (): void => {
      changes = changes.filter((each) => each !== change);
      updateState({});
    };
    const reloadChanged = (): Promise<unknown> => {
      change.sentAt = Date.now();
      updateState({});
      return reload();
    };
    const commit = async (): Promise<void> => {
      // Reload the list before `removeUndoable`, because the page would otherwise show the rows with their old status.
      // Also reload it after an error, because the service may have changed some of the rows.
      const sending = sendInParts(ids, send, (sent) => updateState({ sent }));
      await sending.then(reloadChanged, reloadChanged);
      const outcomes = await sending;
      removeUndoable();
      const refused = { action, rows: outcomes.filter(isRefused), of: outcomes.length };
      updateState({ refused: refused.rows.length > 0 ? refused : remainingRefusals(state.refused, ids) });
      showResult(outcomes.length - refused.rows.length, refused);
    };
    toast.undoable({ title, description, commit, onUndo: removeUndoable });
  }

  function stateOf({
    refused,
    sent,
  }: Pick<ChangeState<Action, Of, Row>, 'refused' | 'sent'>): ChangeState<Action, Of, Row> {
    const byId = new Map(changes.flatMap((change) => change.rows.map((row) => [row.id, { row, ...change }] as const)));
    const isChanging = ({ id }: { readonly id: number }, loadedAt: number): boolean =>
      (byId.get(id)?.sentAt ?? (byId.has(id) ? Infinity : 0)) > loadedAt;
    return {
      undoable: new Map([...byId].map(([id, { action }]) => [id, action])),
      changingRows: (loadedAt) => [...byId.values()].map(({ row }) => row).filter((row) => isChanging(row, loadedAt)),
      isChanging,
      refused,
      sent,
    };
  }

  function updateState(change: Partial<Pick<ChangeState<Action, Of, Row>, 'refused' | 'sent'>>): void {
    state = stateOf({ ...state, ...change });
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { useChangeState, dismissRefused: () => updateState({ refused: undefined }), begin };
}

function isRefused({ outcome }: Outcome): boolean {
  return outcome !== 'changed' && outcome !== 'unchanged';
}

/** Returns the earlier refusals without the rows that have now been sent, or undefined if none are left. */
function remainingRefusals<Action, Of extends Outcome>(
  refused: Refused<Action, Of> | undefined,
  ids: readonly number[],
): Refused<Action, Of> | undefined {
  const gone = new Set(ids);
  const rows = refused?.rows.filter(({ id }) => !gone.has(id)) ?? [];
  return refused === undefined || rows.length === 0 ? undefined : { ...refused, rows };
}
