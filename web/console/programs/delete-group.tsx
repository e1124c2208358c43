import type { ProgramGroup } from '@whence/sdk';
import { useState } from 'react';
import { groups as texts } from './groups-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';

const words = texts.actions;

export type DeleteGroupProps = {
  /** The group to delete. Undefined closes the dialog. */
  readonly group: ProgramGroup | undefined;
  readonly onClose: () => void;
};

/** Asks for confirmation before a program group is deleted. */
export function DeleteGroup({ group, onClose }: DeleteGroupProps) {
  // The dialog must keep its text during the closing animation.
  const [last, setLast] = useState(group);
  if (group !== undefined && group !== last) setLast(group);
  const remove = useCall((api, { id }: ProgramGroup) => api.programGroups.delete(id), {
    reloads: ['programGroups', 'programs'],
    done: (_, { name }) => words.deleted(name),
  });
  return (
    <ConfirmDialog
      open={group !== undefined}
      onClose={onClose}
      title={words.deleteTitle(last?.name ?? '')}
      confirmLabel={words.deleteConfirm}
      danger
      onConfirm={() => group && remove.mutateAsync(group)}
    >
      {words.deleteHelp}
    </ConfirmDialog>
  );
}
