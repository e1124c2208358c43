import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import type { PortalSession } from '@whence/sdk';
import { Fingerprint } from 'lucide-react';
import { useSlug } from '../session.ts';
import { signIn as texts } from './sign-in-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { isAbandoned, requestPasskey } from '#web/ui/shell/passkeys.ts';
import styles from './sign-in.module.css';

/** Logs in with a passkey, if the browser supports passkeys. */
export function ByPasskey({ onEntered }: { readonly onEntered: (session: PortalSession) => void }) {
  const api = useApi();
  const slug = useSlug();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const response = await requestPasskey(await api.portals.challengeSession(slug));
      return api.portals.openSessionByPasskey(slug, { response });
    },
    onSuccess: onEntered,
  });
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
