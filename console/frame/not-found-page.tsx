import { frame as texts } from '#console/texts/frame.ts';
import { LinkButton } from '#ui/button.tsx';
import { Page } from '#ui/page.tsx';
import { Row } from '#ui/stack.tsx';

export function NotFoundPage() {
  return (
    <Page title={texts.missing.title} description={texts.missing.detail} width="narrow">
      <Row>
        <LinkButton href="/">{texts.missing.home}</LinkButton>
      </Row>
    </Page>
  );
}
