import { useQuery } from '@tanstack/react-query';
import { agreementQuery } from '../agreement/agreement-query.ts';
import { agreement as texts } from '../agreement/agreement-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';

/**
 * Shows which version of the agreement the partner accepted. Renders nothing if there is no agreement and the partner
 * has never accepted a version.
 */
export function AgreementCard() {
  const { data } = useQuery(agreementQuery(useApi()));
  if (data === undefined || (data.current === null && data.accepted === null)) return null;
  const { current, accepted } = data;
  return (
    <Card title={texts.title}>
      <Stack gap={3} align="start">
        {accepted !== null && (
          <Text>
            {texts.acceptedVersion(accepted.version)} <Time at={accepted.acceptedAt} />
          </Text>
        )}
        {current !== null && current.version !== accepted?.version && <Text>{texts.unaccepted}</Text>}
        <LinkButton href="/agreement">{texts.read}</LinkButton>
      </Stack>
    </Card>
  );
}
