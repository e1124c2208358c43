import { useLocation } from '@tanstack/react-router';

/**
 * Returns the part of the URL after `#`, which browsers never send to a server. Returns an empty string if there is
 * none.
 */
export function useLinkToken(): string {
  return useLocation({ select: ({ hash }) => hash });
}
