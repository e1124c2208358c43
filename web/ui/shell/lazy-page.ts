import { lazyRouteComponent } from '@tanstack/react-router';
import { isReachable, UnreachableError } from './reachable.ts';

/**
 * Returns the component of a route. Its code is loaded on navigation or hover.
 *
 * If the code can't be loaded, the router reloads the page once, because the usual cause is an update of the service.
 * Without a connection, that would end in the browser's error page, so `Failure` shows an UnreachableError instead.
 */
export function lazyPage<Module extends Readonly<Record<string, unknown>>>(
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  const loadReachable = async (): Promise<Module> => {
    try {
      return await load();
    } catch (error) {
      throw (await isReachable()) ? error : new UnreachableError();
    }
  };
  return lazyRouteComponent(loadReachable as never, name);
}
