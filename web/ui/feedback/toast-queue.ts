import type { ReactNode } from 'react';

/** A toast in the format of Base UI’s manager. */
export type QueuedToast = {
  readonly type: 'good' | 'info' | 'bad';
  readonly title: string;
  readonly description?: ReactNode;
  readonly timeout: number;
  readonly priority?: 'low' | 'high';
  readonly onClose?: () => void;
  readonly actionProps?: { readonly children: string; readonly onClick: () => void };
};

/** The part of Base UI’s toast manager that the queue uses. */
export type ToastManager = {
  readonly add: (toast: QueuedToast & { readonly id: string }) => unknown;
  readonly close: (id: string) => void;
};

let manager: ToastManager | undefined;
let waiting: ((to: ToastManager) => void)[] = [];
let count = 0;
const listeners = new Set<() => void>();

/** Calls `work` with the toast manager now, or as soon as the manager exists. */
function withManager(work: (to: ToastManager) => void): void {
  if (manager !== undefined) return work(manager);
  waiting.push(work);
  for (const listener of listeners) listener();
}

/** The queue of toasts. The component that shows them is rendered from the first toast on. */
export const toasts = {
  add: (toast: QueuedToast): string => {
    count += 1;
    const id = `toast-${count}`;
    withManager((to) => to.add({ ...toast, id }));
    return id;
  },
  close: (id: string): void => withManager((to) => to.close(id)),
  open: (to: ToastManager): void => {
    manager = to;
    for (const work of waiting) work(to);
    waiting = [];
  },
  isWanted: (): boolean => manager !== undefined || waiting.length > 0,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
