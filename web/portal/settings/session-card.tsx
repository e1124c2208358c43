import { useLogOut, useSession } from '../session.ts';
import { settings } from './settings-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';

const texts = settings.session;

export function SessionCard() {
  const { expiresAt } = useSession();
  const logOut = useLogOut();
  return (
    <Card title={texts.title}>
      <Row justify="spread" gap={3}>
        <Text tone="muted">
          {texts.detail} <Time at={expiresAt} as="date" />
        </Text>
        <Button busy={logOut.isPending} onClick={() => logOut.mutate()}>
          {texts.signOut}
        </Button>
      </Row>
    </Card>
  );
}
