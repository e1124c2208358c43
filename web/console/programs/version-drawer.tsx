import { useQuery } from '@tanstack/react-query';
import type { ProgramVersion } from '@whence/sdk';
import { programTabs } from './program-tabs-texts.ts';
import { programs as texts } from './programs-texts.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { Drawer } from '#web/ui/overlay/dialog.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { Changes } from './changes.tsx';
import { Words } from './editor/words.tsx';
import { useWords } from './program-words.ts';
import { type Compared, comparedQuery } from './version-query.ts';

const words = programTabs.versions;

type VersionDrawerProps = {
  readonly programId: number;
  /** The version number in the URL. Undefined closes the drawer. */
  readonly version: string | undefined;
  readonly onClose: () => void;
};

/** Shows the changes of one version, or the whole rule text of the first version. */
export function VersionDrawer({ programId, version, onClose }: VersionDrawerProps) {
  const query = useQuery({
    ...comparedQuery(useApi(), programId, version ?? ''),
    enabled: version !== undefined,
  });
  return (
    <Drawer open={version !== undefined} onClose={onClose} title={texts.page.version(version ?? '')}>
      <Loaded query={query} lines={6}>
        {(data) => (data === null ? <Text tone="muted">{words.noSuch}</Text> : <VersionChanges version={data} />)}
      </Loaded>
    </Drawer>
  );
}

function VersionChanges({ version: { before, ...version } }: { readonly version: Compared }) {
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
