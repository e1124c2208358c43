import type { LucideIcon } from 'lucide-react';
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react';
import { closedTrigger } from './closed-trigger.ts';
import { onDemand, usePart } from './on-demand.ts';

export type MenuItem =
  | {
      readonly label: string;
      readonly icon?: LucideIcon | undefined;
      readonly description?: ReactNode;
      readonly onSelect?: (() => void) | undefined;
      /** The address of an item that navigates instead of running an action. */
      readonly href?: string | undefined;
      /** True for the current one of several alternatives. */
      readonly checked?: boolean | undefined;
      readonly danger?: boolean | undefined;
      readonly disabled?: boolean | undefined;
      /** The hotkey to display. `useHotkeys` handles it. */
      readonly hotkey?: string | undefined;
    }
  | { readonly heading: string }
  | 'separator';

export type MenuProps = {
  /** The button that opens the menu: a Button, or an IconButton without a tooltip. */
  readonly trigger: ReactElement;
  readonly items: readonly MenuItem[];
  readonly align?: 'start' | 'end' | undefined;
  /** True opens the menu initially, if a press on its button has loaded it. */
  readonly defaultOpen?: boolean | undefined;
};

const popups = onDemand(() => import('./menu-popup.tsx'));

/** Renders a menu of actions behind a button. */
export function Menu({ defaultOpen = false, ...menu }: MenuProps) {
  const [wanted, setWanted] = useState(defaultOpen ? { byKeyboard: false } : undefined);
  const part = usePart(popups, wanted !== undefined);
  if (part !== undefined && wanted !== undefined) return <part.MenuPopup {...menu} {...wanted} />;
  const open = (byKeyboard: boolean) => setWanted({ byKeyboard });
  return cloneElement(menu.trigger as ReactElement<object>, closedTrigger('menu', popups.load, open));
}
