import { OpenPage } from '../frame/open-page.tsx';
import { useInvitation } from './invitation-query.ts';
import { AcceptInvitationForm } from './accept-invitation-form.tsx';
import { welcome as texts } from './welcome-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { CopyLine } from '#web/ui/controls/copy.tsx';
import { useLinkToken } from '#web/ui/shell/link-token.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** Shows the form that creates the first owner. The service prints a link to this page until an owner exists. */
export function WelcomePage() {
  const token = useLinkToken();
  const { data, error } = useInvitation(token);
  if (error !== null) {
    return (
      <OpenPage title={texts.void} description={texts.voidDetail}>
        <p>{texts.voidHelp}</p>
        <CopyLine text={texts.voidCommand} />
        <LinkButton href="/sign-in">{texts.toSignIn}</LinkButton>
      </OpenPage>
    );
  }
  return (
    <OpenPage title={texts.heading} tabTitle={texts.title} description={data && texts.description(data.organization)}>
      {data === undefined ? (
        <Skeleton height={260} />
      ) : (
        <AcceptInvitationForm token={token} email={data.email} submitLabel={texts.submit} to="/start" />
      )}
    </OpenPage>
  );
}
