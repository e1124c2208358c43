import { type ReactNode, useLayoutEffect } from 'react';
import { onDemand, usePart } from './on-demand.ts';
import { holdTyping } from './typed-ahead.ts';

export type DialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large' | undefined;
  /** Not closed by a press beside it: what it shows can't be seen again. */
  readonly stays?: boolean | undefined;
  /** Buttons at its foot, the last one being what it is for. A form inside brings its own (`FormActions`). */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** Windows are no part of what a page loads first. */
const windows = onDemand(() => import('./dialog-window.tsx'));

/** A window above the page that is closed by Escape, by its cross, or by a press beside it. */
export function Dialog(props: DialogProps) {
  const part = useWindow(props.open);
  return part && <part.DialogWindow {...props} />;
}

export type DrawerProps = DialogProps;

/** The same at the right edge, as high as the page: to look at one thing of a list without leaving it. */
export function Drawer(props: DrawerProps) {
  const part = useWindow(props.open);
  return part && <part.DrawerWindow {...props} />;
}

export type ConfirmDialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The question: “Revoke this key?” */
  readonly title: ReactNode;
  /** What will happen, and whether it can be taken back. */
  readonly children?: ReactNode;
  /** What the button says: “Revoke key”. */
  readonly confirmLabel: string;
  readonly cancelLabel?: string | undefined;
  /** What can't be taken back. */
  readonly danger?: boolean | undefined;
  /** A text that has to be typed before: for what is lost for good. */
  readonly typeToConfirm?: string | undefined;
  /** The dialog closes when it is done; what it throws is shown, and the dialog stays. */
  readonly onConfirm: () => unknown;
};

/** A question before something happens. It isn't closed by a press beside it. */
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
