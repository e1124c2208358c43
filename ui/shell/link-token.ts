import { useLocation } from '@tanstack/react-router';

/** What stands behind the `#` of the link that led here: browsers send it to nobody. Empty where there is nothing. */
export function useLinkToken(): string {
  return useLocation({ select: ({ hash }) => hash });
}
