import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { useLinkProps } from './link.tsx';
import type { MenuItem, MenuProps } from './menu.tsx';
import popup from './popup.module.css';

export type MenuPopupProps = Omit<MenuProps, 'defaultOpen'> & {
  /** True makes the first item current. */
  readonly byKeyboard: boolean;
};

/** Renders the button and its menu, which is open initially. */
export function MenuPopup({ trigger, items, align = 'end', byKeyboard }: MenuPopupProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!byKeyboard) return;
    button.current?.focus();
    // Pass the press to the new button as a click without a pointer.
    button.current?.click();
    // oxlint-disable-next-line react/exhaustive-deps -- as it appears, once
  }, []);
  return (
    <Base.Root defaultOpen={!byKeyboard}>
      <Base.Trigger ref={button} render={trigger} />
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
