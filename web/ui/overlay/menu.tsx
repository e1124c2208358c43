import { Menu as Base } from '@base-ui/react/menu';
import { Check, type LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from '../controls/class-names.ts';
import { useLinkProps } from '../controls/link.tsx';
import popup from './popup.module.css';

export type MenuItem =
  | {
      readonly label: string;
      readonly icon?: LucideIcon | undefined;
      readonly description?: ReactNode;
      readonly onSelect?: (() => void) | undefined;
      /** The address of an item that navigates instead of running an action. */
      readonly href?: string | undefined;
      /** Whether the item is selected, if the items are alternatives. */
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
};

/** Renders a menu of actions behind a button. */
export function Menu({ trigger, items, align = 'end' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={popup.positioner} sideOffset={4} align={align} collisionPadding={8}>
          <Base.Popup className={popup.popup}>
            {items.map((item, at) => (
              <Item key={keyOf(item, at)} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function keyOf(item: MenuItem, at: number): string {
  if (item === 'separator') return `separator ${at}`;
  return 'heading' in item ? `heading ${item.heading}` : item.label;
}

function Item({ item }: { readonly item: MenuItem }) {
  if (item === 'separator') return <Base.Separator className={popup.separator} />;
  if ('heading' in item) {
    return (
      <div className={popup.heading} role="presentation">
        {item.heading}
      </div>
    );
  }
  const className = classNames(popup.item, item.danger === true && popup.danger);
  if (item.href !== undefined) {
    return (
      <Base.LinkItem render={<ItemLink href={item.href} />} className={className} closeOnClick>
        <Inside {...item} />
      </Base.LinkItem>
    );
  }
  return (
    <Base.Item className={className} disabled={item.disabled} onClick={item.onSelect}>
      <Inside {...item} />
    </Base.Item>
  );
}

function ItemLink({ href, ...rest }: { readonly href: string }) {
  return <a {...useLinkProps(href, rest)} />;
}

function Inside({ icon: Icon, label, description, checked, hotkey }: Extract<MenuItem, { readonly label: string }>) {
  return (
    <>
      {Icon && <Icon aria-hidden />}
      <span className={popup.words}>
        {label}
        {description !== undefined && <span className={popup.description}>{description}</span>}
      </span>
      {checked !== undefined && <span className={popup.tick}>{checked && <Check aria-hidden />}</span>}
      {hotkey !== undefined && (
        <span className={popup.hotkey} aria-hidden>
          {hotkey}
        </span>
      )}
    </>
  );
}
