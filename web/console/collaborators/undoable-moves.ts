import { useQueryClient } from '@tanstack/react-query';
import type { Collaborator, CollaboratorMove } from '@whence/sdk';
import { collaboratorMoves as moves, type MoveAction } from '../changes.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import type { Refused } from '#web/ui/feedback/undoable-changes.ts';

export type { MoveAction };

/** Returns the status changes that can still be undone, the last refusals, and the progress of a bulk change. */
export const useMoves = moves.useChangeState;

/**
 * Returns a function that approves, activates, deactivates or rejects partners after a delay. Until then, the user can
 * undo the change. The reason is for a rejection only.
 */
export function useMove() {
  const api = useApi();
  const client = useQueryClient();
  return (action: MoveAction, rows: readonly Collaborator[], reason = ''): void =>
    moves.begin({
      action,
      rows,
      title: texts.bulk.underWay[action](rows.length),
      send: (ids) =>
        api.collaborators.bulk({
          action: action === 'approve' ? 'activate' : action,
          ids,
          ...(reason === '' ? {} : { rejectionReason: reason }),
        }),
      reload: () => client.invalidateQueries({ queryKey: ['collaborators'] }),
      showResult: (done, refused) => {
        if (done > 0) toast.success(texts.bulk.done[action](done));
        if (refused.rows.length > 0) toast.error(refusalOf(rows, refused));
      },
    });
}

function refusalOf(rows: readonly Collaborator[], refused: Refused<MoveAction, CollaboratorMove>): string {
  const ids = new Set(refused.rows.map(({ id }) => id));
  const names = rows.filter(({ id }) => ids.has(id)).map(({ name }) => name);
  return `${texts.bulk.refused(refused.rows.length, refused.of)}. ${texts.bulk.refusedWhy(names.join(', '))}`;
}
