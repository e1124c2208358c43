import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import type { ConfirmDialogProps, DialogProps } from './dialog.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { Stack } from './stack.tsx';
import { TextField } from './text-field.tsx';
import { texts } from './texts.ts';

/** Renders the content of Dialog. */
export function DialogWindow({
  open,
  onClose,
  title,
  description,
  size = 'medium',
  stays,
  actions,
  children,
}: DialogProps) {
  const first = useFirstField();
  return (
    <Base.Root open={open} onOpenChange={(now) => now || onClose()} disablePointerDismissal={stays === true}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup initialFocus={first.find} className={classNames(styles.popup, size !== 'medium' && styles[size])}>
            <Inside title={title} description={description} actions={actions} onClose={onClose} body={first.body}>
              {children}
            </Inside>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** Renders the content of Drawer. */
export function DrawerWindow({ open, onClose, title, description, size = 'medium', actions, children }: DialogProps) {
  const first = useFirstField();
  return (
    <Base.Root open={open} onOpenChange={(now) => now || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          initialFocus={first.find}
          className={classNames(styles.popup, styles.side, size !== 'medium' && styles[size])}
        >
          <Inside title={title} description={description} actions={actions} onClose={onClose} body={first.body}>
            {children}
          </Inside>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

type InsideProps = Pick<DialogProps, 'title' | 'description' | 'actions' | 'children' | 'onClose'> & {
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
 * Returns the element with the initial focus: a field to fill in, or the window itself if there is no field yet. The
 * close button comes first in the window but must not get it. On touch, no field gets it, because that opens the
 * keyboard.
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
  ':is(input:not([type=hidden],[type=checkbox],[type=radio],[aria-hidden=true]),textarea,[role=combobox]):not(:disabled)';

/** Renders the content of ConfirmDialog. */
export function ConfirmWindow(props: ConfirmDialogProps) {
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

function Question({
  onClose,
  title,
  children,
  confirmLabel,
  cancelLabel,
  danger,
  typeToConfirm,
  onConfirm,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  // It is a mutation so that the frame asks for a login if the session is refused.
  const { mutate, isPending, error } = useMutation({ mutationFn: async () => onConfirm(), onSuccess: onClose });
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm;
  return (
    <>
      <div className={styles.head}>
        <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
      </div>
      <div className={styles.body}>
        <Stack gap={3}>
          {children !== undefined && <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>}
          {typeToConfirm !== undefined && (
            <TextField
              label={texts.typeToConfirm(typeToConfirm)}
              value={typed}
              onChange={setTyped}
              autoComplete="off"
            />
          )}
          {error !== null && <ErrorPanel error={error} />}
        </Stack>
      </div>
      <div className={styles.foot}>
        <Button onClick={onClose}>{cancelLabel ?? texts.cancel}</Button>
        <Button
          variant={danger === true ? 'danger' : 'primary'}
          busy={isPending}
          disabled={!ready}
          onClick={() => mutate()}
        >
          {confirmLabel}
        </Button>
      </div>
    </>
  );
}
