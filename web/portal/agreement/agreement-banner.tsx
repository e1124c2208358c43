import { useSession } from '../session.ts';
import { agreement } from './agreement-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

const texts = agreement.banner;

/** Asks the partner to read and accept the current agreement. */
export function AgreementBanner() {
  const { portal } = useSession();
  const actions = (
    <LinkButton href="/agreement" size="small">
      {texts.read}
    </LinkButton>
  );
  return (
    <Notice tone="warn" title={texts.title} actions={actions}>
      {texts.detail(portal.name)}
    </Notice>
  );
}
