import {
  cloneElement,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useId,
  useState,
} from 'react';
import { classNames } from '../controls/class-names.ts';
import popup from './popup.module.css';

export type PopoverProps = {
  /** The button that opens the panel: a Button or a `button`. */
  readonly trigger: ReactElement;
  /** The accessible name of the panel. */
  readonly label: string;
  readonly align?: 'start' | 'end' | undefined;
  readonly className?: string | undefined;
  /** Renders the panel. Receives a function that closes the panel. */
  readonly children: (close: () => void) => ReactNode;
};

/**
 * Renders a button with a panel below it. The panel is the browser's own popover: Escape or a press outside closes the
 * panel and returns the focus. Browsers without anchor positioning show the panel in the middle of the window.
 */
export function Popover({ trigger, label, align = 'start', className, children }: PopoverProps) {
  const id = useId();
  const [panel, setPanel] = useState<HTMLDivElement | null>(null);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const first = open ? panel?.querySelector<HTMLElement>(FOCUSABLE) : undefined;
    if (!first) return;
    // The browser shows the panel after this effect, and then focuses the element with `autofocus`.
    first.autofocus = true;
    first.focus();
  }, [open, panel]);
  return (
    <>
      {cloneElement(trigger as ReactElement<ComponentProps<'button'>>, {
        popoverTarget: id,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
      })}
      <div
        ref={setPanel}
        id={id}
        popover="auto"
        role={open ? 'dialog' : undefined}
        aria-label={open ? label : undefined}
        className={classNames(popup.popup, popup.popover, align === 'end' && popup.atEnd, className)}
        // The content must exist when the panel appears, and until the browser has returned the focus.
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {open && children(() => panel?.hidePopover())}
      </div>
    </>
  );
}

const FOCUSABLE = ':is(input:not([aria-hidden=true]), button, a):not(:disabled)';
