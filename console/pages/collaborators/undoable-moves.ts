import { useQueryClient } from '@tanstack/react-query';
import type { Collaborator, CollaboratorMove } from '@whence/sdk';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { useApi } from '#ui/shell/api.tsx';
import { toast } from '#ui/toast.tsx';
import { type Refused, undoableChanges } from '#ui/undoable-changes.ts';

export type MoveAction = 'activate' | 'deactivate' | 'reject';

const moves = undoableChanges<MoveAction, CollaboratorMove>();

/** What was said of collaborators and can still be taken back, and how far what is sent has come. */
export const useMoves = moves.useStanding;

/** Lets collaborators in, rest, or turns them away. */
export function useMove() {
  const api = useApi();
  const client = useQueryClient();
  return (action: MoveAction, rows: readonly Collaborator[]): void =>
    moves.begin({
      action,
      ids: rows.map(({ id }) => id),
      title: texts.bulk.underWay[action](rows.length),
      send: (ids) => api.collaborators.bulk({ action, ids }),
      reload: () => client.invalidateQueries({ queryKey: ['collaborators'] }),
      tell: (done, refused) => {
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
