import { History } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { CompareProps } from '../../backtests/compare-dialog.tsx';
import { programEditor } from './program-editor-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';

const CompareDialog = lazy(() =>
  import('../../backtests/backtest-page.tsx').then((module) => ({ default: module.CompareDialog })),
);

/** Returns a button for the editor's form, and the dialog that it opens, which must be outside of the form. */
export function useCompareWithHistory(props: Omit<CompareProps, 'open' | 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  return {
    button: (
      <Button icon={History} onClick={() => setOpen(true)}>
        {programEditor.compare}
      </Button>
    ),
    dialog: isOpen && (
      <Suspense>
        <CompareDialog {...props} open onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}
