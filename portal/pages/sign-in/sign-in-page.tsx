import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { usePortal } from '#portal/brand.ts';
import { OpenPage } from '#portal/frame/open-page.tsx';
import { CheckMail, NotSent } from '#portal/pages/enter/check-mail.tsx';
import { AT_ONCE } from '#portal/pages/enter/entry.ts';
import { useSlug } from '#portal/session.ts';
import { signIn as texts } from '#portal/texts/sign-in.ts';
import { Button } from '#ui/button.tsx';
import { Form, useProblem } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { leadsOut, useLinks } from '#ui/links.ts';
import { useApi } from '#ui/shell/api.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { TextField } from '#ui/text-field.tsx';
import { ByPasskey } from './by-passkey.tsx';

/** By a mail with a link and a code, or by a passkey. Whether an address is known is told to nobody. */
export function SignInPage() {
  const api = useApi();
  const slug = useSlug();
  const portal = usePortal();
  const goOn = useGoingOn();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string>();
  const ask = useMutation({
    mutationFn: () => api.portals.requestLink(slug, { email }, AT_ONCE),
    onSuccess: () => setSentTo(email),
  });
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
          <TextField
            label={texts.email}
            name="email"
            type="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={setEmail}
          />
          {!hasFaults && <NotSent error={ask.error} />}
          <Button type="submit" variant="primary" size="large" wide busy={ask.isPending}>
            {texts.submit}
          </Button>
        </Form>
        <ByPasskey onEntered={goOn} />
        {portal.programs.length > 0 && (
          <Text tone="muted">
            {texts.newHere} <Link href="/sign-up">{texts.join}</Link>
          </Text>
        )}
      </Stack>
    </OpenPage>
  );
}

/** To where they wanted to go, as long as that is a page of the portal. */
function useGoingOn(): () => void {
  const { to = '/' } = useSearch({ strict: false });
  const { navigate } = useLinks();
  return () => navigate(leadsOut(to) ? '/' : to, { replace: true });
}
