import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * After going to another page the focus is on its heading: who hears the page hears where they are, and the next Tab goes
 * on from there. A link within the page, or another filter, moves nothing.
 */
export function useArrival(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        // What a page has focused itself, such as its first field, stays so.
        const main = document.querySelector('main');
        if (main === null || (main.contains(document.activeElement) && document.activeElement !== main)) return;
        const heading = main.querySelector<HTMLElement>('h1') ?? main;
        if (heading !== main) heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }),
    [router],
  );
}
