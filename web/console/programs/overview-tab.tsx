import type { Program } from '@whence/sdk';
import { useMemo } from 'react';
import { BarsBy } from '../reporting/bars-by.tsx';
import type { ChartState, PeriodState } from '../reporting/period-view.ts';
import { ScopedFigures } from '../reporting/scoped-figures.tsx';
import { programs as texts } from './programs-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Grid, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Words } from './editor/words.tsx';
import { useWords } from './program-words.ts';

const words = texts.overview;

type OverviewTabProps = {
  readonly program: Program;
  readonly state: PeriodState & ChartState;
  readonly onChange: (patch: Partial<PeriodState & ChartState>, options?: { readonly replace?: boolean }) => void;
};

/** Shows a program's figures in a period, its rule text, and the partners who earned the most. */
export function OverviewTab({ program, state, onChange }: OverviewTabProps) {
  const { id: programId } = program;
  const scope = useMemo(() => ({ programId }), [programId]);
  return (
    <ScopedFigures scope={scope} state={state} onChange={onChange}>
      {({ period, known }) => (
        <Grid min={340} gap={4}>
          <Rule program={program} />
          <BarsBy by="collaborator" period={period} scope={scope} highest="earned" view={known} />
        </Grid>
      )}
    </ScopedFigures>
  );
}

function Rule({ program }: { readonly program: Program }) {
  const { groupId } = program;
  const { data, error, refetch } = useWords(program);
  const group = useRead(['programGroups', groupId], (api, options) => api.programGroups.get(groupId ?? 0, options), {
    enabled: groupId !== null,
  });
  return (
    <Card title={words.words}>
      <Stack gap={3}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined ? error === null && <Skeleton lines={7} /> : <Words words={data} />}
        {group.data !== undefined && (
          <Text as="p" tone="muted">
            {words.group} <Link href="/groups">{group.data.name}</Link>
          </Text>
        )}
      </Stack>
    </Card>
  );
}
