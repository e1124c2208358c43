import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agreementQuery } from './agreement-query.ts';
import { agreement } from './agreement-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { useLoaded } from '#web/ui/shell/loaded-code.ts';
import { Card } from '#web/ui/shell/card.tsx';

const texts = agreement.accepted;

/** The code of the dialog loads when the dialog opens. */
const loadDialog = () => import('./version-dialog.tsx');

/** The number of acceptances that are shown at first. Each press on “Show older acceptances” shows as many more. */
const SHOWN = 5;

/** Shows which versions of the agreement a partner accepted. Renders nothing if there was never an agreement. */
export function AcceptedAgreements({ collaboratorId }: { readonly collaboratorId: number }) {
  const api = useApi();
  const [limit, setLimit] = useState(SHOWN);
  const [shown, setShown] = useState<number>();
  const dialog = useLoaded(loadDialog, shown !== undefined);
  const newest = useQuery(agreementQuery(api));
  const { version = null, text = null } = newest.data?.data ?? {};
  const { data, error, refetch } = useRead(
    ['collaborators', collaboratorId, 'acceptances', limit],
    (api, options) =>
      api.collaborators.listAgreementAcceptances(collaboratorId, {}, options).toArray({ limit: limit + 1 }),
    { placeholderData: (before) => before, enabled: version !== null },
  );
  if (version === null) return null;
  return (
    <Card title={texts.title}>
      <Stack gap={3}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data !== undefined && text !== null && data[0]?.version !== version && (
          <Text tone="muted">{texts.missing(version)}</Text>
        )}
        {data?.slice(0, limit).map((each) => (
          <Row key={each.version} gap={3} align="baseline">
            <Button size="small" onClick={() => setShown(each.version)}>
              {agreement.version(each.version)}
            </Button>
            <Text tone="muted" size="small">
              {texts.accepted} <Time at={each.acceptedAt} />
            </Text>
          </Row>
        ))}
        {data !== undefined && data.length > limit && (
          <div>
            <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
              {texts.more}
            </Button>
          </div>
        )}
      </Stack>
      {shown !== undefined && dialog && <dialog.VersionDialog version={shown} onClose={() => setShown(undefined)} />}
    </Card>
  );
}
