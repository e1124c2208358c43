import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { usePortal } from '../brand.ts';
import { OpenPage } from '../frame/open-page.tsx';
import { CheckMail, NotSent } from '../enter/check-mail.tsx';
import { AT_ONCE } from '../enter/entry.ts';
import { useAcceptedSession, useSlug } from '../session.ts';
import { signIn as texts } from './sign-in-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Form, useProblem, useDraft } from '#web/ui/form/form.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { leadsOut, useLinks } from '#web/ui/controls/links.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { ByPasskey } from './by-passkey.tsx';

/** Logs in with an emailed link and code, or with a passkey. The page never reveals whether an address is known. */
export function SignInPage() {
  const slug = useSlug();
  const portal = usePortal();
  const accept = useAcceptedSession();
  const goOn = useGoingOn();
  const [{ email }, field] = useDraft({ email: '' });
  const [sentTo, setSentTo] = useState<string>();
  const ask = useCall((api) => api.portals.requestLink(slug, { email }, AT_ONCE), { onDone: () => setSentTo(email) });
  const { shown } = useProblem(ask.error);
  const hasFaults = (shown?.errors.length ?? 0) > 0;
  if (sentTo !== undefined) {
    return (
      <CheckMail
        address={sentTo}
        purpose="signIn"
        resend={() => ask.mutateAsync()}
        onEntered={goOn}
        onOther={() => setSentTo(undefined)}
      />
    );
  }
  return (
    <OpenPage title={texts.to(portal.name)} tabTitle={texts.title} description={texts.description}>
      <Stack gap={4}>
        <Form onSubmit={() => ask.mutate()} error={hasFaults ? ask.error : undefined}>
          <TextField label={texts.email} {...field('email')} type="email" autoComplete="username" autoFocus />
          {!hasFaults && <NotSent error={ask.error} />}
          <Button type="submit" variant="primary" size="large" wide busy={ask.isPending}>
            {texts.submit}
          </Button>
        </Form>
        <ByPasskey
          onEntered={(session) => {
            accept(session);
            goOn();
          }}
        />
        {portal.programs.length > 0 && (
          <Text tone="muted">
            {texts.newHere} <Link href="/sign-up">{texts.join}</Link>
          </Text>
        )}
      </Stack>
    </OpenPage>
  );
}

/** Returns a function that opens the requested page, or the overview if the requested page is outside of the portal. */
function useGoingOn(): () => void {
  const { to = '/' } = useSearch({ strict: false });
  const { navigate } = useLinks();
  return () => navigate(leadsOut(to) ? '/' : to, { replace: true });
}
