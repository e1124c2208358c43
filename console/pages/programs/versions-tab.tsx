import { useInfiniteQuery } from '@tanstack/react-query';
import type { Program, ProgramVersion } from '@whence/sdk';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { programTerms } from '#console/texts/program-terms.ts';
import { programTabs } from '#console/texts/program-tabs.ts';
import { programs as texts } from '#console/texts/programs.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Row, Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import { changedTerms, FieldChanges, WordChanges } from './changes.tsx';
import { Words } from './editor/words.tsx';
import styles from './program.module.css';
import { useWords } from './program-words.ts';

const words = programTabs.versions;

/** One more than is shown, so that each has one to be compared with. */
const SHOWN = 25;

const FIRST_PAGE: { readonly after?: string } = {};

/** Every version, and what it changed. */
export function VersionsTab({ program }: { readonly program: Program }) {
  const api = useApi();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['programs', program.id, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      api.programs.listVersions(program.id, { perPage: SHOWN, ...pageParam }, { signal }).page(),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ after }) => (after === undefined ? undefined : { after }),
  });
  if (data === undefined) {
    return error === null ? <Skeleton lines={6} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />;
  }
  const versions = data.pages.flatMap((page) => page.data);
  const shown = hasNextPage ? versions.slice(0, -1) : versions;
  return (
    <Stack gap={3}>
      <Text as="p" tone="muted">
        {words.help}
      </Text>
      <Card padded={false}>
        {shown.map((version, at) => (
          <Version key={version.version} version={version} before={versions[at + 1]} isCurrent={at === 0} />
        ))}
      </Card>
      {hasNextPage && (
        <Row justify="center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

type VersionProps = {
  readonly version: ProgramVersion;
  readonly before: ProgramVersion | undefined;
  readonly isCurrent: boolean;
};

function Version({ version, before, isCurrent }: VersionProps) {
  const [open, setOpen] = useState(false);
  const changed = before === undefined ? [] : changedTerms(before, version);
  const fields = changed.map((term) => programTerms.labels[term]).join(', ');
  return (
    <details className={styles.version} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.versionHead}>
        <ChevronRight className={styles.chevron} aria-hidden />
        <strong>{texts.page.version(version.version)}</strong>
        {isCurrent && <Badge tone="good">{words.current}</Badge>}
        <span className={styles.versionChanged}>
          {before === undefined ? words.first : fields === '' ? words.sameFields : words.changed(fields)}
        </span>
        <Text tone="muted">
          <Time at={version.createdAt} />
        </Text>
      </summary>
      {open && (
        <div className={styles.versionBody}>
          {before === undefined ? <WholeWords version={version} /> : <Differences before={before} after={version} />}
        </div>
      )}
    </details>
  );
}

function WholeWords({ version }: { readonly version: ProgramVersion }) {
  const { data, error } = useWords(version);
  if (error !== null) return <ErrorPanel error={error} />;
  return data === undefined ? <Skeleton lines={6} /> : <Words words={data} />;
}

function Differences({ before, after }: { readonly before: ProgramVersion; readonly after: ProgramVersion }) {
  const was = useWords(before);
  const is = useWords(after);
  const error = was.error ?? is.error;
  return (
    <>
      <Stack gap={2}>
        <Text strong>{words.words}</Text>
        {error !== null ? (
          <ErrorPanel error={error} />
        ) : was.data === undefined || is.data === undefined ? (
          <Skeleton lines={3} />
        ) : (
          <WordChanges before={was.data} after={is.data} />
        )}
      </Stack>
      <Stack gap={2}>
        <Text strong>{words.fields}</Text>
        <FieldChanges before={before} after={after} />
      </Stack>
    </>
  );
}
