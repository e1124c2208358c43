import { cloneElement, createContext, type ReactElement, type ReactNode, use } from 'react';

export type TooltipProps = {
  /** A short text. Essential information belongs on the page. */
  readonly content: string;
  /** The anchor. It should be focusable, because otherwise only pointer users find the tooltip. */
  readonly children: ReactElement;
};

/**
 * Shows a text on hover and focus. Screen readers skip it, so a control needs its own name.
 *
 * Base UI's tooltip has 35 kB of code (gzipped), so only pages inside a provider (`tooltip-provider.tsx`) use it. On
 * other pages, the browser shows the text as a title.
 */
export function Tooltip(props: TooltipProps) {
  return use(TooltipContext)(props);
}

function title({ content, children }: TooltipProps) {
  return cloneElement(children as ReactElement<{ title: string }>, { title: content });
}

export const TooltipContext = createContext<(props: TooltipProps) => ReactNode>(title);
