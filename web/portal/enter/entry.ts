import { type PortalSession, RateLimitError, WhenceError } from '@whence/sdk';
import { mailed as texts } from '../mailed-texts.ts';
import { useSlug } from '../session.ts';
import { useCall } from '#web/ui/shell/call.ts';

/** Options for calls that users wait for: an error is shown immediately instead of after several retries. */
export const AT_ONCE = { maxRetries: 0 };

const MINUTE_S = 60;

/** Returns a mutation that logs in with an email address and the code from an email. */
export function useEntryByCode(onEntered: (session: PortalSession) => void) {
  const slug = useSlug();
  return useCall(
    (api, proof: { readonly email: string; readonly code: string }) => api.portals.openSession(slug, proof, AT_ONCE),
    { onDone: onEntered },
  );
}

/** Returns whether an error means that a login link or a code is invalid, used or expired. */
export function isExpired(error: unknown): boolean {
  return error instanceof WhenceError && error.code === 'link-expired';
}

/** Returns the text for a refusal because of too many emails, or undefined for other errors. */
export function tooOftenText(error: unknown): string | undefined {
  if (!(error instanceof RateLimitError)) return undefined;
  const seconds = Number(error.headers?.get('retry-after') ?? MINUTE_S);
  return texts.tooOften(Math.max(1, Math.ceil(seconds / MINUTE_S)));
}
