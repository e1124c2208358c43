import { useBlocker } from '@tanstack/react-router';
import { leave as words } from '#console/texts/leave.ts';
import { ConfirmDialog } from '#ui/dialog.tsx';

/** Asks before what was changed is left behind. `unsaved` is asked at that moment. */
export function LeaveGuard({ unsaved }: { readonly unsaved: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved() && current.pathname !== next.pathname,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      onClose={() => reset?.()}
      title={words.title}
      confirmLabel={words.confirm}
      cancelLabel={words.stay}
      danger
      onConfirm={() => proceed?.()}
    >
      {words.help}
    </ConfirmDialog>
  );
}
