import type { ComponentType } from 'react';
import { onDemand, usePart } from './on-demand.ts';
import { Skeleton } from './skeleton.tsx';

/**
 * Returns a component that loads on demand, such as the content of a tab: `later(async () => (await
 * import('./versions-tab.tsx')).VersionsTab)`.
 */
export function later<Props extends object>(fetch: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const part = onDemand(fetch);
  return function Later(props: Props) {
    const Component = usePart(part, true);
    return Component === undefined ? <Skeleton lines={8} /> : <Component {...props} />;
  };
}
