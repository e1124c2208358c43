import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Moves the focus to the heading after navigation. Screen readers then read the new page's heading, and Tab continues
 * from there. Links within the page and filter changes don't move the focus.
 */
export function useArrival(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        // Keep a focus that the page has set itself, such as on its first field.
        const main = document.querySelector('main');
        if (main === null || (main.contains(document.activeElement) && document.activeElement !== main)) return;
        const heading = main.querySelector<HTMLElement>('h1') ?? main;
        if (heading !== main) heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }),
    [router],
  );
}
