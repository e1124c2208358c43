import { useQuery } from '@tanstack/react-query';
import type { ProgramVersion } from '@whence/sdk';
import { programTabs } from '#console/texts/program-tabs.ts';
import { programs as texts } from '#console/texts/programs.ts';
import { Drawer } from '#ui/dialog.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import { Changes } from './changes.tsx';
import { Words } from './editor/words.tsx';
import { useWords } from './program-words.ts';
import { type Compared, comparedQuery } from './version-query.ts';

const words = programTabs.versions;

type VersionDrawerProps = {
  readonly programId: number;
  /** As the address has it. */
  readonly version: string | undefined;
  readonly onClose: () => void;
};

/** What one version changed; of the first, all of its words. */
export function VersionDrawer({ programId, version, onClose }: VersionDrawerProps) {
  const { data, error, refetch } = useQuery({
    ...comparedQuery(useApi(), programId, version ?? ''),
    enabled: version !== undefined,
  });
  return (
    <Drawer open={version !== undefined} onClose={onClose} title={texts.page.version(version ?? '')}>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={6} />
      ) : data === null ? (
        <Text tone="muted">{words.noSuch}</Text>
      ) : (
        <Told version={data} />
      )}
    </Drawer>
  );
}

function Told({ version: { before, ...version } }: { readonly version: Compared }) {
  return (
    <Stack gap={4}>
      <Text tone="muted">
        {words.made} <Time at={version.createdAt} as="datetime" />
      </Text>
      {before === undefined ? <WholeWords version={version} /> : <Changes before={before} after={version} />}
    </Stack>
  );
}

function WholeWords({ version }: { readonly version: ProgramVersion }) {
  const { data, error } = useWords(version);
  if (error !== null) return <ErrorPanel error={error} />;
  return data === undefined ? <Skeleton lines={6} /> : <Words words={data} />;
}
