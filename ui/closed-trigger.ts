import type { KeyboardEvent } from 'react';

/** What the button of a popup has until the popup has come: a press opens it, and so does an arrow, as Base UI has it. */
export function closedTrigger(popup: 'menu' | 'dialog' | 'listbox', prepare: () => unknown, open: () => void) {
  return {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onPointerEnter: () => void prepare(),
    onFocus: () => void prepare(),
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (popup === 'dialog' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      open();
    },
  } as const;
}
