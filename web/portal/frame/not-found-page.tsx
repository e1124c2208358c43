import { frame as texts } from './frame-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { Row } from '#web/ui/controls/stack.tsx';

export function NotFoundPage() {
  return (
    <Page title={texts.missing.title} description={texts.missing.detail} width="narrow">
      <Row>
        <LinkButton href="/">{texts.missing.home}</LinkButton>
      </Row>
    </Page>
  );
}
