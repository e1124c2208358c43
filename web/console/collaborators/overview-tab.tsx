import type { Collaborator } from '@whence/sdk';
import { AcceptedAgreements } from '../portal/accepted-agreements.tsx';
import { collaborators as texts } from './collaborators-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { CopyId } from '#web/ui/controls/copy.tsx';
import type { ChangeList, ListState } from '#web/ui/table/list-query.ts';
import { Facts } from '#web/ui/shell/page.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { NotesCard } from './notes-card.tsx';
import { TagsCard } from './tags-card.tsx';
import styles from './collaborators.module.css';
import { Balances } from './balances.tsx';
import { Results } from './results.tsx';
import { AliasList } from './alias-list.tsx';

const words = texts.page;

type OverviewTabProps = {
  readonly collaborator: Collaborator;
  readonly state: ListState;
  readonly onChange: ChangeList;
};

export function OverviewTab({ collaborator, state, onChange }: OverviewTabProps) {
  const { email, nickname, userId, createdAt } = collaborator;
  return (
    <Stack gap={4}>
      <Results collaboratorId={collaborator.id} />
      <Balances collaboratorId={collaborator.id} />
      <Card title={words.contact}>
        <Facts
          beside
          items={[
            { label: words.email, value: email === null ? words.none : <CopyId text={email} /> },
            { label: words.nickname, value: nickname ?? words.none },
            { label: words.userId, value: userId ?? words.none },
            { label: words.since, value: <Time at={createdAt} as="date" /> },
          ]}
        />
      </Card>
      <AcceptedAgreements collaboratorId={collaborator.id} />
      <div className={styles.halves}>
        <TagsCard collaborator={collaborator} />
        <NotesCard collaborator={collaborator} />
      </div>
      <AliasList collaborator={collaborator} state={state} onChange={onChange} />
    </Stack>
  );
}
