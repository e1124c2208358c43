import { type ComponentProps, type ComponentType, type ReactElement, type ReactNode, Suspense, useState } from 'react';

export type MenuOnDemandProps = {
  readonly button: ComponentType<ComponentProps<'button'>>;
  /** Loads the menu. */
  readonly load: () => Promise<unknown>;
  /** Renders the menu with its button, open initially. It is a `lazy` component that `load` preloads. */
  readonly menu: (trigger: ReactElement) => ReactNode;
};

/** Renders a button whose menu loads shortly before a press, because menus are not part of the initial load. */
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
