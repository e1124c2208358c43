import { type ReactNode, useSyncExternalStore } from 'react';
import { inParts, type Sent } from './in-parts.ts';
import { toast } from './toast.tsx';

/** What the service made of one. */
type Outcome = { readonly id: number; readonly outcome: string };

/** What the service would not do of what was sent last, and how many that were. */
export type Refused<Action, Of extends Outcome> = {
  readonly action: Action;
  readonly rows: readonly Of[];
  readonly of: number;
};

export type Standing<Action, Of extends Outcome> = {
  /** What was said on this page and can still be taken back. */
  readonly undoable: ReadonlyMap<number, Action>;
  /** Until somebody has put it away, or the same rows are sent again. */
  readonly refused: Refused<Action, Of> | undefined;
  /** How far one of many has come that is being sent. */
  readonly sent: Sent | undefined;
};

export type UndoableChange<Action, Of extends Outcome> = {
  readonly action: Action;
  readonly ids: readonly number[];
  readonly title: string;
  readonly description?: ReactNode;
  /** Tells the service of some: at most as many as it takes at once. */
  readonly send: (ids: number[]) => PromiseLike<readonly Of[]>;
  /** Loads anew what has changed by it. */
  readonly reload: () => Promise<unknown>;
  /** Says what has become of them. */
  readonly tell: (done: number, refused: Refused<Action, Of>) => void;
};

/** Changes of one kind that can be taken back, for as long as the page is open. */
export type UndoableChanges<Action, Of extends Outcome> = {
  readonly useStanding: () => Standing<Action, Of>;
  readonly dismissRefused: () => void;
  /**
   * Shows a change as done. The service can’t take it back, so it is told some seconds later, or as soon as the page is
   * left, and until then it can be undone.
   */
  readonly begin: (change: UndoableChange<Action, Of>) => void;
};

/** Made beyond any component: what can be undone goes on while somebody looks at another page. */
export function undoableChanges<Action, Of extends Outcome>(): UndoableChanges<Action, Of> {
  let standing: Standing<Action, Of> = { undoable: new Map(), refused: undefined, sent: undefined };
  const listeners = new Set<() => void>();

  function useStanding(): Standing<Action, Of> {
    return useSyncExternalStore(subscribe, () => standing);
  }

  function begin({ action, ids, title, description, send, reload, tell }: UndoableChange<Action, Of>): void {
    become({ undoable: new Map([...standing.undoable, ...ids.map((id) => [id, action] as const)]) });
    const takeOut = (): void => become({ undoable: without(standing.undoable, ids) });
    const commit = async (): Promise<void> => {
      const outcomes = await inParts(ids, send, (sent) => become({ sent }));
      // They go as they are shown as what they have become.
      await reload();
      takeOut();
      const refused = { action, rows: outcomes.filter(isRefused), of: outcomes.length };
      become({ refused: refused.rows.length > 0 ? refused : left(standing.refused, ids) });
      tell(outcomes.length - refused.rows.length, refused);
    };
    toast.undoable({ title, description, commit, onUndo: takeOut });
  }

  function become(change: Partial<Standing<Action, Of>>): void {
    standing = { ...standing, ...change };
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { useStanding, dismissRefused: () => become({ refused: undefined }), begin };
}

function isRefused({ outcome }: Outcome): boolean {
  return outcome !== 'changed' && outcome !== 'unchanged';
}

function without<Action>(undoable: ReadonlyMap<number, Action>, ids: readonly number[]): ReadonlyMap<number, Action> {
  const gone = new Set(ids);
  return new Map([...undoable].filter(([id]) => !gone.has(id)));
}

/** What was refused before, less what went through this time. */
function left<Action, Of extends Outcome>(
  refused: Refused<Action, Of> | undefined,
  ids: readonly number[],
): Refused<Action, Of> | undefined {
  const gone = new Set(ids);
  const rows = refused?.rows.filter(({ id }) => !gone.has(id)) ?? [];
  return refused === undefined || rows.length === 0 ? undefined : { ...refused, rows };
}
