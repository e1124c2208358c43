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
      /** Leads somewhere instead of doing something. */
      readonly href?: string | undefined;
      /** One of several that is the case now. */
      readonly checked?: boolean | undefined;
      readonly danger?: boolean | undefined;
      readonly disabled?: boolean | undefined;
      /** Shown at its end; `useHotkeys` listens. */
      readonly hotkey?: string | undefined;
    }
  | { readonly heading: string }
  | 'separator';

export type MenuProps = {
  /** The button that opens it: a Button or an IconButton without a tooltip. */
  readonly trigger: ReactElement;
  readonly items: readonly MenuItem[];
  readonly align?: 'start' | 'end' | undefined;
  /** Open when it appears: of one that was loaded by the press on its button. */
  readonly defaultOpen?: boolean | undefined;
};

const popups = onDemand(() => import('./menu-popup.tsx'));

/** Things to do, behind a button. */
export function Menu({ defaultOpen = false, ...menu }: MenuProps) {
  const [wanted, setWanted] = useState(defaultOpen ? { byKeyboard: false } : undefined);
  const part = usePart(popups, wanted !== undefined);
  if (part !== undefined && wanted !== undefined) return <part.MenuPopup {...menu} {...wanted} />;
  const open = (byKeyboard: boolean) => setWanted({ byKeyboard });
  return cloneElement(menu.trigger as ReactElement<object>, closedTrigger('menu', popups.load, open));
}
