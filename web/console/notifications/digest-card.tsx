import type { Digest } from '@whence/sdk';
import { digest as texts } from './digest-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { getPageZone } from '#web/ui/formats/time.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { Select } from '#web/ui/form/select.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';

const KEY = ['digest'];

type Frequency = Digest['frequency'];

const FREQUENCIES = Object.entries(texts.frequencies).map(([value, label]) => ({ value: value as Frequency, label }));

/** Shows and changes how often the user gets the summary email, which the API calls the digest. */
export function DigestCard() {
  const { data, error, refetch } = useRead(KEY, (api, options) => api.account.getDigest(options));
  return (
    <Card title={texts.title} description={texts.description(getPageZone())}>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={64} />}
      {data !== undefined && <Settings digest={data} />}
    </Card>
  );
}

function Settings({ digest: { frequency, addressConfirmed } }: { readonly digest: Digest }) {
  const { mutate, isPending, error } = useCall(
    (api, chosen: Frequency) => api.account.changeDigest({ frequency: chosen }),
    { stores: KEY, done: texts.saved },
  );
  const { sendsMail } = placeOf(document);
  return (
    <Stack gap={3}>
      {sendsMail || <Notice tone="warn">{texts.printed}</Notice>}
      <Select label={texts.frequency} options={FREQUENCIES} value={frequency} onChange={mutate} disabled={isPending} />
      {error !== null && <ErrorPanel error={error} />}
      {sendsMail && !addressConfirmed && frequency !== 'never' && <Confirmation />}
    </Stack>
  );
}

function Confirmation() {
  const { mutate, isPending, error } = useCall((api) => api.account.requestAddressConfirmation(), {
    done: texts.queued,
  });
  return (
    <>
      <Notice tone="info">{texts.unconfirmed}</Notice>
      <Row>
        <Button onClick={() => mutate()} busy={isPending}>
          {texts.confirm}
        </Button>
      </Row>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
