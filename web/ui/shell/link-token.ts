import { useLocation } from '@tanstack/react-router';

/** Returns the part of the address after `#`, which browsers never send. Empty if there is none. */
export function useLinkToken(): string {
  return useLocation({ select: ({ hash }) => hash });
}
