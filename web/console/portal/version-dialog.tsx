import { useQuery } from '@tanstack/react-query';
import { AGREEMENT_KEY } from './agreement-query.ts';
import { agreement as texts } from './agreement-texts.ts';
import { Prose } from '#web/ui/controls/prose.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';

/** Shows the text of one version of the partner agreement. */
export function VersionDialog({ version, onClose }: { readonly version: number; readonly onClose: () => void }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: [...AGREEMENT_KEY, 'version', version],
    queryFn: ({ signal }) => api.partnerAgreement.listVersions({ version }, { signal }).toArray({ limit: 1 }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog open onClose={onClose} title={texts.version(version)} size="large">
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && <Prose text={data[0]?.text ?? ''} />}
    </Dialog>
  );
}
