import { AGREEMENT_KEY } from './agreement-query.ts';
import { agreement as texts } from './agreement-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Prose } from '#web/ui/controls/prose.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';

/** Shows the text of one version of the partner agreement. */
export function VersionDialog({ version, onClose }: { readonly version: number; readonly onClose: () => void }) {
  const { data, error, refetch } = useRead(
    [...AGREEMENT_KEY, 'version', version],
    (api, options) => api.partnerAgreement.listVersions({ version }, options).toArray({ limit: 1 }),
    { staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <Dialog open onClose={onClose} title={texts.version(version)} size="large">
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && <Prose text={data[0]?.text ?? ''} />}
    </Dialog>
  );
}
