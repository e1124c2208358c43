import { OpenPage } from '../frame/open-page.tsx';
import { invitation as texts } from './invitation-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { useLinkToken } from '#web/ui/shell/link-token.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { useInvitation } from './invitation-query.ts';
import { AcceptInvitationForm } from './accept-invitation-form.tsx';

export function InvitationPage() {
  const token = useLinkToken();
  const { data, error } = useInvitation(token);
  if (error !== null) return <VoidInvitation />;
  return (
    <OpenPage
      title={data === undefined ? texts.title : texts.heading(data.organization)}
      tabTitle={texts.title}
      description={data && texts.roles[data.role]}
    >
      {data === undefined ? (
        <Skeleton height={260} />
      ) : (
        <AcceptInvitationForm token={token} email={data.email} submitLabel={texts.submit} to="/" />
      )}
    </OpenPage>
  );
}

function VoidInvitation() {
  return (
    <OpenPage title={texts.void} description={texts.voidDetail}>
      <LinkButton href="/sign-in">{texts.toSignIn}</LinkButton>
    </OpenPage>
  );
}
