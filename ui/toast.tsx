import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { helpFor } from './problem-help.ts';
import { shownProblem } from './shown-problem.ts';
import { texts } from './texts.ts';
import { toasts } from './toast-queue.ts';
import { type Later, laterUntilUndone } from './undoable.ts';

export type ToastWords = { readonly title: string; readonly description?: ReactNode };

export type Undoable = ToastWords & {
  /** What is done when the time has passed and nobody took it back, or as soon as the page is left. What it throws is shown. */
  readonly commit: () => unknown;
  /** Puts the page back as it was: nothing has happened yet. */
  readonly onUndo?: (() => void) | undefined;
  /** How long it can be taken back: 6,000. */
  readonly delayMs?: number | undefined;
};

const loadPlace = () => import('./toast-place.tsx').then((module) => ({ default: module.ToastPlace }));
const Place = lazy(loadPlace);

/** Short news at the edge of the page, from anywhere: it needs no hook. */
export const toast = {
  success: (title: string, description?: ReactNode) => show('good', { title, description }),
  info: (title: string, description?: ReactNode) => show('info', { title, description }),
  /** What was thrown, in words; or a title of your own. */
  error: (error: unknown) => {
    if (typeof error === 'string') return show('bad', { title: error });
    const { code, title, detail } = shownProblem(error);
    return show('bad', { title, description: [detail, helpFor(code)].filter(Boolean).join(' ') });
  },
  /**
   * Does something that can't be taken back a few seconds later, so that it can: show it as done at once, and put the page back in `onUndo`. The function
   * that is returned commits at once.
   */
  undoable: ({ title, description, commit, onUndo, delayMs = 6_000 }: Undoable): (() => void) => {
    const later: Later = laterUntilUndone(
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
      // It goes when the time is over, also under a pointer that rests on it.
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
  /** What is done already, with a button that does the opposite. */
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
    // An error stays longer: it has more to read.
    timeout: type === 'bad' ? 10_000 : 5_000,
    priority: type === 'bad' ? 'high' : 'low',
  });
}

/** Where toasts appear; UiProvider has it. It comes with the first of them. */
export function ToastPlace() {
  const isWanted = useSyncExternalStore(toasts.subscribe, toasts.isWanted);
  return <Suspense>{isWanted && <Place />}</Suspense>;
}

/** Fetches it as soon as somebody does something: the first news may be that the service can’t be reached. */
export function prepareToasts(): () => void {
  const prepare = (): void => {
    forget();
    loadPlace().catch(() => {});
  };
  const forget = (): void => {
    for (const event of ['pointerdown', 'keydown']) removeEventListener(event, prepare);
  };
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, prepare);
  return forget;
}
