import { lazy, Suspense } from 'react';
import type { ConfirmDialogProps, DialogProps } from './dialog.tsx';

const Window = lazy(() => import('./dialog.tsx').then((module) => ({ default: module.Dialog })));
const Question = lazy(() => import('./dialog.tsx').then((module) => ({ default: module.ConfirmDialog })));

/** Renders a Dialog whose code loads when it first opens. The pages of the portal are too small for dialogs. */
export function LazyDialog(props: DialogProps) {
  return <Suspense>{props.open && <Window {...props} />}</Suspense>;
}

/** Renders a ConfirmDialog whose code loads when it first opens. */
export function LazyConfirmDialog(props: ConfirmDialogProps) {
  return <Suspense>{props.open && <Question {...props} />}</Suspense>;
}
