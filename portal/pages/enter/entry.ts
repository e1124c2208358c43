import { useMutation } from '@tanstack/react-query';
import { type PortalSession, RateLimitError, WhenceError } from '@whence/sdk';
import { mailed as texts } from '#portal/texts/mailed.ts';
import { useAcceptedSession, useSlug } from '#portal/session.ts';
import { useApi } from '#ui/shell/api.tsx';

/** People wait for these, so an error is shown at once. */
export const AT_ONCE = { maxRetries: 0 };

const MINUTE_S = 60;

/** Signs in by an address and the code of a mail to it. */
export function useEntryByCode(onEntered: (session: PortalSession) => void) {
  const api = useApi();
  const slug = useSlug();
  const accept = useAcceptedSession();
  return useMutation({
    mutationFn: (proof: { readonly email: string; readonly code: string }) =>
      api.portals.openSession(slug, proof, AT_ONCE),
    onSuccess: (session) => {
      accept(session);
      onEntered(session);
    },
  });
}

/** Whether a link or a code lets nobody in (any more). */
export function isExpired(error: unknown): boolean {
  return error instanceof WhenceError && error.code === 'link-expired';
}

/** The words of a refusal because too many mails were asked for; undefined for any other. */
export function tooOften(error: unknown): string | undefined {
  if (!(error instanceof RateLimitError)) return undefined;
  const seconds = Number(error.headers?.get('retry-after') ?? MINUTE_S);
  return texts.tooOften(Math.max(1, Math.ceil(seconds / MINUTE_S)));
}
