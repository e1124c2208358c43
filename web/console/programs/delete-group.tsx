import { useQueryClient } from '@tanstack/react-query';
import type { ProgramGroup } from '@whence/sdk';
import { useState } from 'react';
import { groups as texts } from './groups-texts.ts';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const words = texts.actions;

export type DeleteGroupProps = {
  /** The group to delete. Undefined closes the dialog. */
  readonly group: ProgramGroup | undefined;
  readonly onClose: () => void;
};

/** Asks for confirmation before a program group is deleted. */
export function DeleteGroup({ group, onClose }: DeleteGroupProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  // The dialog must keep its text during the closing animation.
  const [last, setLast] = useState(group);
  if (group !== undefined && group !== last) setLast(group);
  const run = async () => {
    if (group === undefined) return;
    await api.programGroups.delete(group.id);
    await queryClient.invalidateQueries({ queryKey: ['programGroups'] });
    await queryClient.invalidateQueries({ queryKey: ['programs'] });
    toast.success(words.deleted(group.name));
  };
  return (
    <ConfirmDialog
      open={group !== undefined}
      onClose={onClose}
      title={words.deleteTitle(last?.name ?? '')}
      confirmLabel={words.deleteConfirm}
      danger
      onConfirm={run}
    >
      {words.deleteHelp}
    </ConfirmDialog>
  );
}
