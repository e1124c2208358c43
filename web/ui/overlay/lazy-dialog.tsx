import { useLoaded } from '../shell/loaded-code.ts';
import type { ConfirmDialogProps, DialogProps } from './dialog.tsx';

const loadDialogs = () => import('./dialog.tsx');

/**
 * Renders a Dialog whose code loads when it first opens. The code of dialogs is large compared with the pages of the
 * portal.
 */
export function LazyDialog(props: DialogProps) {
  const dialogs = useLoaded(loadDialogs, props.open);
  return props.open && dialogs && <dialogs.Dialog {...props} />;
}

/** Renders a ConfirmDialog whose code loads when it first opens. */
export function LazyConfirmDialog(props: ConfirmDialogProps) {
  const dialogs = useLoaded(loadDialogs, props.open);
  return props.open && dialogs && <dialogs.ConfirmDialog {...props} />;
}
