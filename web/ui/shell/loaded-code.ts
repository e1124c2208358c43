import { useEffect, useState } from 'react';

const loaded = new WeakMap<object, unknown>();

/**
 * Returns the module that `load` imports, or undefined until the module is loaded. Loading starts once `isNeeded` is
 * true. `lazy` with Suspense is not used for code that a click needs, because React shows a fallback for at least 300
 * ms.
 *
 * `load` must be the same function in every call. If `load` fails, the page's error boundary shows the error.
 */
export function useLoaded<Module extends object>(load: () => Promise<Module>, isNeeded: boolean): Module | undefined {
  const [, show] = useState<unknown>();
  useEffect(() => {
    if (!isNeeded || loaded.has(load)) return;
    load().then(
      (module) => {
        loaded.set(load, module);
        return show(module);
      },
      (error: unknown) =>
        show(() => {
          throw error;
        }),
    );
  }, [load, isNeeded]);
  return loaded.get(load) as Module | undefined;
}
