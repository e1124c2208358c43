import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { type TooltipProps, TooltipContext } from './tooltip.tsx';
import styles from './tooltip.module.css';

/** The page's only tooltip. All anchors share it. */
const tooltip = Base.createHandle<string>();

/** Shows Base UI's tooltips for all components inside. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <TooltipContext value={anchor}>
      <Base.Provider delay={350}>
        {children}
        <Base.Root handle={tooltip}>
          {({ payload }) => (
            <Base.Portal>
              <Base.Positioner className={styles.positioner} sideOffset={6} collisionPadding={8}>
                <Base.Popup className={styles.popup} role="tooltip" aria-hidden>
                  {payload}
                </Base.Popup>
              </Base.Positioner>
            </Base.Portal>
          )}
        </Base.Root>
      </Base.Provider>
    </TooltipContext>
  );
}

function anchor({ content, children }: TooltipProps) {
  return <Base.Trigger handle={tooltip} payload={content} render={children} />;
}
