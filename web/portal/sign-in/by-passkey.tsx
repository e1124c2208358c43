import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import type { PortalSession } from '@whence/sdk';
import { Fingerprint } from 'lucide-react';
import { useSlug } from '../session.ts';
import { signIn as texts } from './sign-in-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { isAbandoned, requestPasskey } from '#web/ui/shell/passkeys.ts';
import styles from './sign-in.module.css';

/** Logs in with a passkey, if the browser supports passkeys. */
export function ByPasskey({ onEntered }: { readonly onEntered: (session: PortalSession) => void }) {
  const slug = useSlug();
  const { mutate, isPending, error } = useCall(
    async (api) => {
      const response = await requestPasskey(await api.portals.challengeSession(slug));
      return api.portals.openSessionByPasskey(slug, { response });
    },
    { onDone: onEntered },
  );
  if (!browserSupportsWebAuthn()) return null;
  return (
    <>
      <p className={styles.or}>{texts.or}</p>
      <Button icon={Fingerprint} wide busy={isPending} onClick={() => mutate()}>
        {texts.passkey}
      </Button>
      {error !== null && !isAbandoned(error) && <Notice tone="bad">{texts.passkeyFailed}</Notice>}
    </>
  );
}
