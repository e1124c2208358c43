import { AT_ONCE, isExpired } from '../enter/entry.ts';
import { OpenPage } from '../frame/open-page.tsx';
import { useSlug } from '../session.ts';
import { ProgramSignUp } from './program-sign-up.tsx';
import { signUp as texts } from './sign-up-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { PageSpinner } from '#web/ui/feedback/spinner.tsx';
import { useLinkToken } from '#web/ui/shell/link-token.ts';

/** Shows the program of an invitation link with the form to join it. */
export function JoinPage() {
  const slug = useSlug();
  const token = useLinkToken();
  const { data, error, refetch } = useRead(
    ['portals', slug, 'invitation', token],
    (api, { signal }) => api.portals.previewInvitationLink(slug, { token }, { ...AT_ONCE, signal }),
    { retry: false, enabled: token.length === TOKEN_LENGTH },
  );
  if (data !== undefined) return <ProgramSignUp key={token} program={data} invitation={token} />;
  if (token.length === TOKEN_LENGTH && error === null) return <PageSpinner />;
  if (error !== null && !isExpired(error)) {
    return (
      <OpenPage title={texts.title}>
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </OpenPage>
    );
  }
  return (
    <OpenPage title={texts.invitation.unusable} tabTitle={texts.title} description={texts.invitation.unusableHelp}>
      <Row>
        <LinkButton href="/sign-up" variant="primary">
          {texts.invitation.others}
        </LinkButton>
      </Row>
    </OpenPage>
  );
}

/** The number of characters in the token of an invitation link. */
const TOKEN_LENGTH = 43;
