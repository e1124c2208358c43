import type { Whence } from '@whence/sdk';
import { Fingerprint } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { useCall } from './call.ts';
import { isAbandoned } from './passkeys.ts';
import styles from './passkey-login.module.css';

type PasskeyLoginProps<Session> = {
  readonly words: { readonly or: string; readonly passkey: string; readonly passkeyFailed: string };
  readonly open: (api: Whence) => Promise<Session>;
  readonly onEntered: (session: Session) => void;
};

/** Shows a button that logs in with a passkey, below another way to log in. */
export function PasskeyLogin<Session>({ words, open, onEntered }: PasskeyLoginProps<Session>) {
  const { mutate, isPending, error } = useCall(open, { onDone: onEntered });
  return (
    <>
      <p className={styles.or}>{words.or}</p>
      <Button icon={Fingerprint} wide busy={isPending} onClick={() => mutate()}>
        {words.passkey}
      </Button>
      {error !== null && !isAbandoned(error) && <Notice tone="bad">{words.passkeyFailed}</Notice>}
    </>
  );
}
