import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { type Shown, tooltips } from './tooltip-state.ts';
import styles from './tooltip.module.css';

export type TooltipProps = {
  /** A short text. Essential information belongs on the page. */
  readonly content: ReactNode;
  /** The anchor. It should be focusable, because otherwise only pointer users find the tooltip. */
  readonly children: ReactElement;
  readonly disabled?: boolean | undefined;
};

type Handlers = {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  readonly onFocus?: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void;
};

/**
 * Shows a text on hover and focus. Screen readers skip it, so a control needs its own name. We don't use Base UI's
 * tooltip: every button has one, and it would add 35 kB (gzipped) to the initial load.
 */
export function Tooltip({ content, children, disabled = false }: TooltipProps) {
  const own = children.props as Handlers;
  if (disabled) return children;
  return cloneElement(children as ReactElement<Handlers>, {
    onPointerEnter: (event) => {
      own.onPointerEnter?.(event);
      if (event.pointerType !== 'touch') tooltips.soon({ anchor: event.currentTarget, content });
    },
    onPointerLeave: (event) => {
      own.onPointerLeave?.(event);
      tooltips.leave();
    },
    onFocus: (event) => {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) tooltips.show({ anchor: event.currentTarget, content });
    },
    onBlur: (event) => {
      own.onBlur?.(event);
      tooltips.hide();
    },
  });
}

/** Shows the tooltips, one at a time. UiProvider renders it. */
export function TooltipPlace() {
  const shown = useSyncExternalStore(tooltips.subscribe, tooltips.current);
  return shown && createPortal(<Popup shown={shown} />, document.body);
}

function Popup({ shown: { anchor, content } }: { readonly shown: Shown }) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (popup.current !== null) place(popup.current, anchor);
  }, [anchor, content]);
  useEffect(() => {
    const hideOnEscape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') tooltips.hide();
    };
    addEventListener('keydown', hideOnEscape);
    addEventListener('pointerdown', tooltips.hide);
    addEventListener('scroll', tooltips.hide, { capture: true, passive: true });
    return () => {
      removeEventListener('keydown', hideOnEscape);
      removeEventListener('pointerdown', tooltips.hide);
      removeEventListener('scroll', tooltips.hide, { capture: true });
    };
  }, []);
  return (
    // The pointer may stay on the tooltip, to read it or to select text.
    <div
      ref={popup}
      role="tooltip"
      aria-hidden
      className={styles.popup}
      onPointerEnter={tooltips.stay}
      onPointerLeave={tooltips.leave}
    >
      {content}
    </div>
  );
}

const GAP_PX = 6;
const MARGIN_PX = 8;

/** Places the tooltip above its anchor, or below if there is no room, and always inside the window. */
function place(popup: HTMLElement, anchor: Element): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const above = at.top - GAP_PX - height;
  const left = at.left + at.width / 2 - width / 2;
  popup.style.top = `${above >= MARGIN_PX ? above : at.bottom + GAP_PX}px`;
  popup.style.left = `${Math.max(MARGIN_PX, Math.min(left, document.documentElement.clientWidth - width - MARGIN_PX))}px`;
}
