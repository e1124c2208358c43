import type { PartnerAgreementVersion } from '@whence/sdk';
import { useState } from 'react';
import { Author } from '../author.tsx';
import { AGREEMENT_KEY } from './agreement-query.ts';
import { agreement as texts } from './agreement-texts.ts';
import { VersionDialog } from './version-dialog.tsx';
import { useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card } from '#web/ui/shell/card.tsx';

/** The number of versions that are shown at first. Each press on “Show older versions” shows as many more. */
const SHOWN = 10;

/** Lists the versions of the agreement, newest first. */
export function AgreementVersions() {
  const [limit, setLimit] = useState(SHOWN);
  const [shown, setShown] = useState<number>();
  const { data, error, refetch } = useRead(
    [...AGREEMENT_KEY, 'versions', limit],
    (api, options) => api.partnerAgreement.listVersions({ perPage: SHOWN }, options).toArray({ limit: limit + 1 }),
    { placeholderData: (before) => before },
  );
  return (
    <Card title={texts.versions}>
      <Stack gap={3}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={3} />}
        {data?.slice(0, limit).map((version) => (
          <Version key={version.version} version={version} onShow={() => setShown(version.version)} />
        ))}
        {data !== undefined && data.length > limit && (
          <div>
            <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
              {texts.older}
            </Button>
          </div>
        )}
      </Stack>
      {shown !== undefined && <VersionDialog version={shown} onClose={() => setShown(undefined)} />}
    </Card>
  );
}

type VersionProps = { readonly version: PartnerAgreementVersion; readonly onShow: () => void };

function Version({ version: { version, text, author, createdAt }, onShow }: VersionProps) {
  return (
    <Row gap={3} align="baseline" justify="spread">
      {text === null ? (
        <Text>{texts.withdrawal(version)}</Text>
      ) : (
        <Button size="small" onClick={onShow}>
          {texts.version(version)}
        </Button>
      )}
      <Text tone="muted" size="small">
        <Time at={createdAt} /> {texts.by} <Author author={author} />
      </Text>
    </Row>
  );
}
