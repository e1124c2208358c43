import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { classNames } from '../controls/class-names.ts';
import styles from './dialog.module.css';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { Stack } from '../controls/stack.tsx';
import { texts } from '../shell/texts.ts';

export type DialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large' | undefined;
  /**
   * Whether the dialog stays open when the user presses Escape or clicks outside. Use it for content that can't be
   * shown again.
   */
  readonly stays?: boolean | undefined;
  /** The buttons in the footer, with the main action last. A form inside has its own buttons (`FormActions`). */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/**
 * Renders a window above the page. Its close button and, unless `stays` is set, Escape or a press outside closes it.
 */
export function Dialog(props: DialogProps) {
  const first = useFirstField();
  return (
    <Window {...props}>
      <Base.Viewport className={styles.viewport}>
        <Base.Popup initialFocus={first.find} className={classNames(styles.popup, sizeOf(props))}>
          <Inside {...props} body={first.body} />
        </Base.Popup>
      </Base.Viewport>
    </Window>
  );
}

export type DrawerProps = DialogProps;

/**
 * Renders a panel at the right edge of the browser window, as high as the window. The panel shows one item of a list
 * without leaving the list.
 */
export function Drawer(props: DrawerProps) {
  const first = useFirstField();
  return (
    <Window {...props}>
      <Base.Popup initialFocus={first.find} className={classNames(styles.popup, styles.side, sizeOf(props))}>
        <Inside {...props} body={first.body} />
      </Base.Popup>
    </Window>
  );
}

function Window({ open, onClose, stays, children }: Pick<DialogProps, 'open' | 'onClose' | 'stays' | 'children'>) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(now, { reason }) => {
        if (!now && !(stays === true && reason === 'escape-key')) onClose();
      }}
      disablePointerDismissal={stays === true}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        {children}
      </Base.Portal>
    </Base.Root>
  );
}

function sizeOf({ size = 'medium' }: DialogProps): string | undefined {
  return size === 'medium' ? undefined : styles[size];
}

type InsideProps = DialogProps & {
  readonly body: RefObject<HTMLDivElement | null>;
};

function Inside({ title, description, actions, children, onClose, body }: InsideProps) {
  return (
    <>
      <div className={styles.head}>
        <Base.Title className={styles.title}>{title}</Base.Title>
        <IconButton icon={X} label={texts.close} size="small" tooltip={false} onClick={onClose} />
      </div>
      {description !== undefined && <Base.Description className={styles.description}>{description}</Base.Description>}
      <div ref={body} className={styles.body}>
        {children}
      </div>
      {actions !== undefined && <div className={styles.foot}>{actions}</div>}
    </>
  );
}

/**
 * Returns `body`, a ref for the body of the window, and `find`. `find` returns the element that gets the initial focus:
 * the first field, or the window itself if there is no field yet. The close button is the first element of the window
 * but must not get the focus. On touch devices, no field gets the focus, because that would open the keyboard.
 */
function useFirstField() {
  const body = useRef<HTMLDivElement>(null);
  const find = (by: string) => {
    if (by === 'touch') return true;
    const inside = body.current;
    return inside?.querySelector<HTMLElement>(FIELDS) ?? inside?.closest<HTMLElement>('[role=dialog]') ?? true;
  };
  return { body, find };
}

const FIELDS =
  ':is(input:not([type=hidden],[type=checkbox],[type=radio],[aria-hidden=true]),textarea,select,[role=combobox]):not(:disabled)';

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
  /** Whether the action is irreversible. */
  readonly danger?: boolean | undefined;
  /**
   * Runs the action. The dialog closes when the action is done. If the action throws, the dialog shows the error and
   * stays open.
   */
  readonly onConfirm: () => unknown;
};

/** Asks for confirmation before an action. A press outside doesn't close the dialog. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose } = props;
  return (
    <AlertDialog.Root open={open} onOpenChange={(now) => now || onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup className={classNames(styles.popup, styles.small)}>
            <Question {...props} />
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Question({ onClose, title, children, confirmLabel, cancelLabel, danger, onConfirm }: ConfirmDialogProps) {
  // The action is a mutation, so that the frame asks for a login if the service refuses the session.
  const { mutate, isPending, error } = useMutation({ mutationFn: async () => onConfirm(), onSuccess: onClose });
  return (
    <>
      <div className={styles.head}>
        <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
      </div>
      <div className={styles.body}>
        <Stack gap={3}>
          {children !== undefined && <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>}
          {error !== null && <ErrorPanel error={error} />}
        </Stack>
      </div>
      <div className={styles.foot}>
        <Button onClick={onClose}>{cancelLabel ?? texts.cancel}</Button>
        <Button variant={danger === true ? 'danger' : 'primary'} busy={isPending} onClick={() => mutate()}>
          {confirmLabel}
        </Button>
      </div>
    </>
  );
}
