import { useBlocker } from '@tanstack/react-router';
import { leave as words } from './leave-texts.ts';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';

/** Asks for confirmation before the user leaves a page with unsaved changes. `unsaved` is evaluated at that time. */
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
