import { useLocation } from '@tanstack/react-router';

/** Returns the part of the URL after `#`, which browsers never send, or an empty string. */
export function useLinkToken(): string {
  return useLocation({ select: ({ hash }) => hash });
}
