import { type ReactNode, useLayoutEffect } from 'react';
import { onDemand, usePart } from './on-demand.ts';
import { holdTyping } from './typed-ahead.ts';

export type DialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large' | undefined;
  /** True if a click outside doesn't close it, because its content can't be shown again. */
  readonly stays?: boolean | undefined;
  /** The buttons in the footer, with the main action last. A form inside has its own buttons (`FormActions`). */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** Windows are not part of the initial load. */
const windows = onDemand(() => import('./dialog-window.tsx'));

/** Renders a window above the page. Escape, its close button, or a press outside closes it. */
export function Dialog(props: DialogProps) {
  const part = useWindow(props.open);
  return part && <part.DialogWindow {...props} />;
}

export type DrawerProps = DialogProps;

/**
 * Renders a window at the right edge with the height of the page. It shows one item of a list without leaving the
 * list.
 */
export function Drawer(props: DrawerProps) {
  const part = useWindow(props.open);
  return part && <part.DrawerWindow {...props} />;
}

export type ConfirmDialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The question to confirm: “Revoke this key?” */
  readonly title: ReactNode;
  /** The consequences, and whether the action can be undone. */
  readonly children?: ReactNode;
  /** The label of the button: “Revoke key”. */
  readonly confirmLabel: string;
  readonly cancelLabel?: string | undefined;
  /** True for an irreversible action. */
  readonly danger?: boolean | undefined;
  /** A text that the user must type first, for permanent deletions. */
  readonly typeToConfirm?: string | undefined;
  /** Runs the action. The dialog closes when it is done. If it throws, the dialog shows the error and stays open. */
  readonly onConfirm: () => unknown;
};

/** Asks for confirmation before an action. A press outside doesn't close it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const part = useWindow(props.open);
  return part && <part.ConfirmWindow {...props} />;
}

function useWindow(open: boolean) {
  useLayoutEffect(() => {
    if (open) holdTyping();
  }, [open]);
  return usePart(windows, open);
}
