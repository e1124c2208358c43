import { useState } from 'react';
import { CodeForm, NotSent } from '../enter/check-mail.tsx';
import { AT_ONCE } from '../enter/entry.ts';
import { mailed } from '../mailed-texts.ts';
import { useRenewedSession, useSlug } from '../session.ts';
import { ByPasskey } from '../sign-in/by-passkey.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { frame as texts } from './frame-texts.ts';

/** Logs a partner in again, with a code from an email or with a passkey. */
export function LogInAgain({ email }: { readonly email: string }) {
  const slug = useSlug();
  const renew = useRenewedSession();
  const [isSent, setSent] = useState(false);
  const ask = useCall((api) => api.portals.requestLink(slug, { email }, AT_ONCE), { onDone: () => setSent(true) });
  return (
    <Stack gap={4}>
      {isSent ? (
        <>
          <Text as="p">{mailed.embedded(email)}</Text>
          <CodeForm address={email} submit={mailed.submit} resend={() => ask.mutateAsync()} onEntered={renew} />
        </>
      ) : (
        <>
          <Button variant="primary" wide busy={ask.isPending} onClick={() => ask.mutate()}>
            {texts.emailCode}
          </Button>
          <NotSent error={ask.error} />
          <ByPasskey onEntered={renew} />
        </>
      )}
    </Stack>
  );
}
