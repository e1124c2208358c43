import type { KeyboardEvent, MouseEvent } from 'react';
import { holdTyping } from './typed-ahead.ts';

/** What the button of a popup has until the popup has come: a press opens it, and so does an arrow, as Base UI has it. */
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
    // Enter and Space click without a pointer.
    onClick: ({ detail }: MouseEvent) => open(detail === 0),
    onKeyDown: (event: KeyboardEvent) => {
      if (popup === 'dialog' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      open(true);
    },
  } as const;
}
