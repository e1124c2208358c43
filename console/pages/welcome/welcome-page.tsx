import { OpenPage } from '#console/frame/open-page.tsx';
import { useInvitation } from '#console/pages/invitation/invitation-query.ts';
import { Joining } from '#console/pages/invitation/joining.tsx';
import { welcome as texts } from '#console/texts/welcome.ts';
import { LinkButton } from '#ui/button.tsx';
import { CopyLine } from '#ui/copy.tsx';
import { useLinkToken } from '#ui/shell/link-token.ts';
import { Skeleton } from '#ui/skeleton.tsx';

/** Where the link leads that the service prints as long as it has no owner. */
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
        <Joining token={token} email={data.email} submitLabel={texts.submit} to="/start" />
      )}
    </OpenPage>
  );
}
