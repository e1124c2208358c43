import { frame as texts } from '../texts/frame.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Page } from '#web/ui/page.tsx';
import { Row } from '#web/ui/stack.tsx';

export function NotFoundPage() {
  return (
    <Page title={texts.missing.title} description={texts.missing.detail} width="narrow">
      <Row>
        <LinkButton href="/">{texts.missing.home}</LinkButton>
      </Row>
    </Page>
  );
}
