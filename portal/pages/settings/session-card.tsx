import { useSession, useSignOut } from '#portal/session.ts';
import { settings } from '#portal/texts/settings.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Row } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';

const texts = settings.session;

/** How long one stays signed in, and the way out. */
export function SessionCard() {
  const { expiresAt } = useSession();
  const signOut = useSignOut();
  return (
    <Card title={texts.title}>
      <Row justify="spread" gap={3}>
        <Text tone="muted">
          {texts.detail} <Time at={expiresAt} as="date" />
        </Text>
        <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {texts.signOut}
        </Button>
      </Row>
    </Card>
  );
}
