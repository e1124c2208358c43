import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import type { PortalSession } from '@whence/sdk';
import { useSlug } from '../session.ts';
import { signIn as texts } from './sign-in-texts.ts';
import { PasskeyLogin } from '#web/ui/shell/passkey-login.tsx';
import { requestPasskey } from '#web/ui/shell/passkeys.ts';

/** Logs in with a passkey, if the browser supports passkeys. */
export function ByPasskey({ onEntered }: { readonly onEntered: (session: PortalSession) => void }) {
  const slug = useSlug();
  if (!browserSupportsWebAuthn()) return null;
  return (
    <PasskeyLogin
      words={texts}
      open={async ({ portals }) => {
        const response = await requestPasskey(await portals.challengeSession(slug));
        return portals.openSessionByPasskey(slug, { response });
      }}
      onEntered={onEntered}
    />
  );
}
