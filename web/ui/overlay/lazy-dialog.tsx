import { useEffect, useState } from 'react';
import type { ConfirmDialogProps, DialogProps } from './dialog.tsx';

type Dialogs = typeof import('./dialog.tsx');

/** The code of dialogs, once it is loaded. */
let loaded: Dialogs | undefined;

/**
 * Renders a Dialog whose code loads when it first opens. The code of dialogs is large compared with the pages of the
 * portal.
 */
export function LazyDialog(props: DialogProps) {
  const dialogs = useDialogs(props.open);
  return props.open && dialogs && <dialogs.Dialog {...props} />;
}

/** Renders a ConfirmDialog whose code loads when it first opens. */
export function LazyConfirmDialog(props: ConfirmDialogProps) {
  const dialogs = useDialogs(props.open);
  return props.open && dialogs && <dialogs.ConfirmDialog {...props} />;
}

/**
 * Returns the code of dialogs, or undefined while it loads. `lazy` with Suspense is not used, because React shows a
 * fallback for at least 300 ms.
 */
function useDialogs(isNeeded: boolean): Dialogs | undefined {
  const [, show] = useState(loaded);
  useEffect(() => {
    if (!isNeeded || loaded !== undefined) return;
    const load = async (): Promise<void> => {
      loaded = await import('./dialog.tsx');
      show(loaded);
    };
    load().catch((error: unknown) =>
      // Throw the error while React renders, so that the page's error boundary shows it.
      show(() => {
        throw error;
      }),
    );
  }, [isNeeded]);
  return loaded;
}
