import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { helpFor } from './problem-texts.ts';
import { shownProblem } from './shown-problem.ts';
import { texts } from '../shell/texts.ts';
import { toasts } from './toast-queue.ts';
import { type Later, scheduleUndoable } from './undoable.ts';

export type ToastWords = { readonly title: string; readonly description?: ReactNode };

export type Undoable = ToastWords & {
  /**
   * Runs when the time passes without an undo, when the user closes the toast, or when the user leaves the page. If it
   * throws, a toast shows the error.
   */
  readonly commit: () => unknown;
  /** Restores the page after an undo, or after an error in `commit`. */
  readonly onUndo?: (() => void) | undefined;
  /** The time to undo, in milliseconds. Default: 6,000. */
  readonly delayMs?: number | undefined;
};

const loadPlace = () => import('./toast-place.tsx').then((module) => ({ default: module.ToastPlace }));
const Place = lazy(loadPlace);

/** Shows short messages at the edge of the page. It works anywhere, because it is not a hook. */
export const toast = {
  success: (title: string, description?: ReactNode) => show('good', { title, description }),
  info: (title: string, description?: ReactNode) => show('info', { title, description }),
  /** Shows a thrown value as a problem with advice, or a string as the title. */
  error: (error: unknown) => {
    if (typeof error === 'string') return show('bad', { title: error });
    const { code, title, detail } = shownProblem(error);
    return show('bad', { title, description: [detail, helpFor(code)].filter(Boolean).join(' ') });
  },
  /**
   * Delays an irreversible action by a few seconds so that it can be undone. Show it as done immediately, and restore
   * the page in `onUndo`. The returned function commits immediately.
   */
  undoable: ({ title, description, commit, onUndo, delayMs = 6_000 }: Undoable): (() => void) => {
    const later: Later = scheduleUndoable(
      async () => {
        toasts.close(id);
        try {
          await commit();
        } catch (thrown) {
          onUndo?.();
          toast.error(thrown);
        }
      },
      delayMs,
      window,
    );
    const id = toasts.add({
      type: 'good',
      title,
      description,
      // The toast has no timeout of its own. The delayed action closes it, even while the pointer is on it.
      timeout: 0,
      onClose: () => later.now(),
      actionProps: {
        children: texts.undo,
        onClick: () => {
          later.undo();
          onUndo?.();
          toasts.close(id);
        },
      },
    });
    return () => later.now();
  },
  /** Shows a completed action with a button that reverses it. */
  withUndo: ({ title, description, undo }: ToastWords & { readonly undo: () => unknown }) => {
    const id = toasts.add({
      type: 'good',
      title,
      description,
      timeout: 8_000,
      actionProps: {
        children: texts.undo,
        onClick: () => {
          toasts.close(id);
          void Promise.resolve(undo()).catch(toast.error);
        },
      },
    });
    return id;
  },
  close: (id: string) => toasts.close(id),
};

function show(type: 'good' | 'info' | 'bad', words: ToastWords): string {
  return toasts.add({
    ...words,
    type,
    // An error is shown longer, because it has more text.
    timeout: type === 'bad' ? 10_000 : 5_000,
    priority: type === 'bad' ? 'high' : 'low',
  });
}

/** Shows the toasts. UiProvider renders it. Its code loads at the first user action, or with the first toast. */
export function ToastPlace() {
  const isWanted = useSyncExternalStore(toasts.subscribe, toasts.isWanted);
  return <Suspense>{isWanted && <Place />}</Suspense>;
}

/**
 * Loads the code for toasts at the first user action. Otherwise, a toast that reports an unreachable service could not
 * load its code.
 */
export function prepareToasts(): () => void {
  return onFirstAction(loadPlace);
}

/** Loads code at the first user action. Returns a function that stops waiting for the action. */
export function onFirstAction(load: () => Promise<unknown>): () => void {
  const prepare = (): void => {
    forget();
    load().catch(() => {});
  };
  const forget = (): void => {
    for (const event of ['pointerdown', 'keydown']) removeEventListener(event, prepare);
  };
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, prepare);
  return forget;
}
