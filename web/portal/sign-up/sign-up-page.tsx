import { useParams } from '@tanstack/react-router';
import { usePortal } from '../brand.ts';
import { OpenPage } from '../frame/open-page.tsx';
import { signUp as texts } from './sign-up-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { ProgramList } from './program-list.tsx';
import { ProgramSignUp } from './program-sign-up.tsx';

/** Shows the programs with open sign-up. If only one program has open sign-up, shows the page of that program. */
export function SignUpPage() {
  const { program: id } = useParams({ strict: false });
  const { name, programs } = usePortal();
  const [only] = programs;
  const chosen = id === undefined ? undefined : programs.find((program) => String(program.id) === id);
  const program = chosen ?? (programs.length === 1 ? only : undefined);
  if (program !== undefined) return <ProgramSignUp key={program.id} program={program} />;
  if (programs.length === 0) {
    return (
      <OpenPage title={texts.closedTitle} tabTitle={texts.title} description={texts.closed(name)}>
        <Row>
          <LinkButton href="/sign-in" variant="primary">
            {texts.signIn}
          </LinkButton>
        </Row>
      </OpenPage>
    );
  }
  return (
    <OpenPage title={texts.choose(name)} tabTitle={texts.title} description={texts.chooseDescription} width="wide">
      <Stack gap={4}>
        {id !== undefined && <Notice>{texts.gone}</Notice>}
        <ProgramList programs={programs} />
        <Text tone="muted">
          {texts.already} <Link href="/sign-in">{texts.signIn}</Link>
        </Text>
      </Stack>
    </OpenPage>
  );
}
