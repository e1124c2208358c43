import type { KeyboardEvent, MouseEvent } from 'react';
import { holdTyping } from './typed-ahead.ts';

/**
 * Returns the props of a popup's button before the popup has loaded. As in Base UI, a press or an arrow key opens it.
 */
export function closedTrigger(
  popup: 'menu' | 'dialog' | 'listbox',
  prepare: () => unknown,
  show: (byKeyboard: boolean) => void,
) {
  const open = (byKeyboard: boolean): void => {
    holdTyping();
    show(byKeyboard);
  };
  return {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onPointerEnter: () => void prepare(),
    onFocus: () => void prepare(),
    // Enter and Space cause clicks without a pointer.
    onClick: ({ detail }: MouseEvent) => open(detail === 0),
    onKeyDown: (event: KeyboardEvent) => {
      if (popup === 'dialog' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      open(true);
    },
  } as const;
}
