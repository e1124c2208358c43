import { lazy, Suspense } from 'react';
import type { ConfirmDialogProps, DialogProps } from './dialog.tsx';

const Window = lazy(() => import('./dialog.tsx').then((module) => ({ default: module.Dialog })));
const Question = lazy(() => import('./dialog.tsx').then((module) => ({ default: module.ConfirmDialog })));

/**
 * Renders a Dialog whose code loads when it first opens. The code of dialogs is large compared with the pages of the
 * portal.
 */
export function LazyDialog(props: DialogProps) {
  return <Suspense>{props.open && <Window {...props} />}</Suspense>;
}

/** Renders a ConfirmDialog whose code loads when it first opens. */
export function LazyConfirmDialog(props: ConfirmDialogProps) {
  return <Suspense>{props.open && <Question {...props} />}</Suspense>;
}
