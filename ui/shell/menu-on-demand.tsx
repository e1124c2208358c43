import { type ComponentProps, type ComponentType, type ReactElement, type ReactNode, Suspense, useState } from 'react';

export type MenuOnDemandProps = {
  readonly button: ComponentType<ComponentProps<'button'>>;
  /** Fetches the menu. */
  readonly load: () => Promise<unknown>;
  /** The menu around its button, open when it appears: a `lazy` component that is loaded by the same. */
  readonly menu: (trigger: ReactElement) => ReactNode;
};

/** A button whose menu is fetched when somebody is about to press it: menus are no part of what every page loads. */
export function MenuOnDemand({ button: Button, load, menu }: MenuOnDemandProps) {
  const [isWanted, setWanted] = useState(false);
  const prepare = (): void => void load();
  const plain = (
    <Button
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setWanted(true)}
    />
  );
  return isWanted ? <Suspense fallback={plain}>{menu(<Button />)}</Suspense> : plain;
}
