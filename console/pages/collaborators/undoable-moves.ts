import { useQueryClient } from '@tanstack/react-query';
import type { Collaborator, CollaboratorMove } from '@whence/sdk';
import { useSyncExternalStore } from 'react';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { useApi } from '#ui/shell/api.tsx';
import { toast } from '#ui/toast.tsx';

export type MoveAction = 'activate' | 'deactivate' | 'reject';

const MOST_AT_ONCE = 1_000;

// Beyond any component: what can be undone goes on while somebody looks at another page.
let undoable: ReadonlyMap<number, MoveAction> = new Map();
const listeners = new Set<() => void>();

/** What was said of collaborators and can still be taken back. */
export function useUndoableMoves(): ReadonlyMap<number, MoveAction> {
  return useSyncExternalStore(subscribe, () => undoable);
}

/** Lets collaborators in, rest, or turns them away: six seconds later, or as soon as the page is left. Until then it can be undone. */
export function useMove() {
  const api = useApi();
  const client = useQueryClient();
  return (action: MoveAction, rows: readonly Collaborator[]): void => {
    const ids = rows.map(({ id }) => id);
    change(new Map([...undoable, ...ids.map((id) => [id, action] as const)]));
    const commit = async (): Promise<void> => {
      const moves: CollaboratorMove[] = [];
      for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
        moves.push(...(await api.collaborators.bulk({ action, ids: ids.slice(at, at + MOST_AT_ONCE) })));
      }
      // They go as they are shown as what they have become.
      await client.invalidateQueries({ queryKey: ['collaborators'] });
      remove(ids);
      tell(action, rows, moves);
    };
    toast.undoable({ title: texts.bulk.underWay[action](ids.length), commit, onUndo: () => remove(ids) });
  };
}

function tell(action: MoveAction, rows: readonly Collaborator[], moves: readonly CollaboratorMove[]): void {
  const refused = moves.filter(({ outcome }) => outcome !== 'changed' && outcome !== 'unchanged');
  const done = moves.length - refused.length;
  if (done > 0) toast.success(texts.bulk.done[action](done));
  if (refused.length === 0) return;
  const ids = new Set(refused.map(({ id }) => id));
  const names = rows.filter(({ id }) => ids.has(id)).map(({ name }) => name);
  toast.error(`${texts.bulk.refused(refused.length, moves.length)}. ${texts.bulk.refusedWhy(names.join(', '))}`);
}

function remove(ids: readonly number[]): void {
  const gone = new Set(ids);
  change(new Map([...undoable].filter(([id]) => !gone.has(id))));
}

function change(to: ReadonlyMap<number, MoveAction>): void {
  undoable = to;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
