import { useQuery } from '@tanstack/react-query';
import type { PortalSession } from '@whence/sdk';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePortal } from '../brand.ts';
import { OpenPage } from '../frame/open-page.tsx';
import { sessionQuery, useAcceptedSession, useLogOut, useSlug } from '../session.ts';
import { enter as texts } from './enter-texts.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { useLinkToken } from '#web/ui/shell/link-token.ts';
import { PageSpinner } from '#web/ui/feedback/spinner.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { ByCode } from './by-code.tsx';
import { AT_ONCE, isExpired } from './entry.ts';

/** Logs in with the token of an emailed link. The token is valid once, so the login removes it from the URL. */
export function EnterPage() {
  const inAddress = useLinkToken();
  const [token] = useState(inAddress);
  return token === '' ? <WithoutLink /> : <ByLink token={token} />;
}

function ByLink({ token }: { readonly token: string }) {
  const api = useApi();
  const slug = useSlug();
  const accept = useAcceptedSession();
  const { navigate } = useLinks();
  const { data, error, refetch } = useQuery({
    // Send the token only once, even if the page renders again, because a used token is refused.
    queryKey: ['portals', slug, 'entry', token],
    queryFn: () => api.portals.openSession(slug, { token }, AT_ONCE),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useEffect(() => {
    if (data === undefined) return;
    accept(data);
    navigate('/enter', { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- accept and navigate must run only once for each session
  }, [data]);
  if (data !== undefined) return <Entered session={data} />;
  if (isExpired(error)) return <ByCode title={texts.expiredTitle} description={texts.expired} />;
  if (error !== null) {
    return (
      <OpenPage title={texts.failedTitle}>
        <ErrorPanel error={error} onRetry={() => void refetch()} />
        <LinkButton href="/sign-in">{texts.signInInstead}</LinkButton>
      </OpenPage>
    );
  }
  return (
    <OpenPage title={texts.opening}>
      <PageSpinner />
    </OpenPage>
  );
}

/** Shows the logged-in partner, for example after a reload. Without a session, asks for the code from an email. */
function WithoutLink() {
  const { data, isPending } = useQuery(sessionQuery(useApi()));
  if (data !== undefined) return <Entered session={data} />;
  if (isPending) {
    return (
      <OpenPage title={texts.opening}>
        <PageSpinner />
      </OpenPage>
    );
  }
  return <ByCode title={texts.codeTitle} description={texts.codeDescription} />;
}

/**
 * Shows the name of the logged-in partner. A link can be forwarded, so partners must notice if the account is not their
 * own.
 */
function Entered({ session: { collaborator } }: { readonly session: PortalSession }) {
  const portal = usePortal();
  const logOut = useLogOut();
  const { name, email } = collaborator;
  return (
    <OpenPage
      title={texts.welcome(name)}
      tabTitle={texts.title}
      description={email === null ? texts.signedIn(portal.name) : texts.signedInAs(email, portal.name)}
    >
      <Stack gap={2}>
        <LinkButton href="/" variant="primary" size="large" iconEnd={ArrowRight} wide>
          {texts.go}
        </LinkButton>
        <Button variant="ghost" wide busy={logOut.isPending} onClick={() => logOut.mutate()}>
          {texts.notYou(name)}
        </Button>
      </Stack>
    </OpenPage>
  );
}
