import { type ComponentProps, type ComponentType, lazy, type ReactElement, Suspense, useState } from 'react';

export type MenuOnDemandProps = {
  readonly button: ComponentType<ComponentProps<'button'>>;
  /** The menu, which is open when it appears. Always the same function. */
  readonly load: () => Promise<{ readonly default: ComponentType<{ readonly trigger: ReactElement }> }>;
};

/** A button whose menu is fetched when somebody is about to press it: menus are no part of what every page loads. */
export function MenuOnDemand({ button: Button, load }: MenuOnDemandProps) {
  const [isWanted, setWanted] = useState(false);
  const [Menu] = useState(() => lazy(load));
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
  return isWanted ? (
    <Suspense fallback={plain}>
      <Menu trigger={<Button />} />
    </Suspense>
  ) : (
    plain
  );
}
