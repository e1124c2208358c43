import type { Person } from '@whence/sdk';
import { Ellipsis, UserCog, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { usePermission, useSession } from '../session.ts';
import { people as texts } from './people-texts.ts';
import { NameWithAvatar } from '#web/ui/controls/avatar.tsx';
import { Badge } from '#web/ui/controls/badge.tsx';
import { IconButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable, type DataTableProps } from '#web/ui/table/data-table.tsx';
import { listPage } from '#web/ui/table/list-query.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { choiceFilter } from '#web/ui/shell/list-state.ts';
import { RemovePersonDialog } from './remove-person-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { roleOptions } from './role-options.ts';

export type PeopleListProps = Pick<DataTableProps<never>, 'state' | 'onChange'>;

type PersonAction = { readonly what: 'role' | 'remove'; readonly person: Person };

const FILTERS: readonly Filter[] = [
  { id: 'role', kind: 'choice', name: 'role', label: texts.filters.role, options: roleOptions },
  choiceFilter('status', texts.filters.status, texts.statuses, ['active', 'removed']),
  { id: 'since', kind: 'period', from: 'createdFrom', until: 'createdUntil', label: texts.columns.since },
];

export function PersonList({ state, onChange }: PeopleListProps) {
  const api = useApi();
  const may = usePermission('people:write');
  const { person: self } = useSession();
  const [doing, setDoing] = useState<PersonAction>();
  const close = (): void => setDoing(undefined);
  const columns = columnsOf(self.id);
  return (
    <>
      <DataTable<Person>
        label={texts.tab.people}
        queryKey={['people', 'list']}
        load={async (query, signal) => listPage(await api.people.list(query as object, { signal }).page())}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ name }) => texts.person(name)}
        rowActions={may ? (person) => <PersonMenu person={person} onChoose={setDoing} /> : undefined}
        state={state}
        onChange={onChange}
        defaultSort="-id"
        filters={FILTERS}
        csv={csvOf('/v1/people')}
        csvName="people"
      />
      {doing?.what === 'role' && <RoleDialog person={doing.person} onClose={close} />}
      {doing?.what === 'remove' && <RemovePersonDialog person={doing.person} onClose={close} />}
    </>
  );
}

function columnsOf(self: number): readonly Column<Person>[] {
  return [
    {
      id: 'name',
      header: texts.columns.name,
      sort: 'name',
      cell: ({ id, name, status }) => (
        <Row gap={2} wrap={false}>
          <NameWithAvatar name={name} />
          {id === self && <Badge>{texts.you}</Badge>}
          {status === 'removed' && <Badge>{texts.statuses.removed}</Badge>}
        </Row>
      ),
    },
    { id: 'email', header: texts.columns.email, priority: 2, cell: ({ email }) => email },
    { id: 'role', header: texts.columns.role, cell: ({ role }) => texts.roles[role] },
    { id: 'signIn', header: texts.columns.signIn, priority: 3, cell: signInText },
    {
      id: 'seen',
      header: texts.columns.seen,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? <Text tone="muted">{texts.never}</Text> : <Time at={lastSeenAt} />,
    },
    {
      id: 'since',
      header: texts.columns.since,
      sort: 'createdAt',
      priority: 3,
      cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
    },
  ];
}

function signInText({ twoFactor, passkeys }: Person): string {
  const word = twoFactor ? texts.signIns.twoFactor : texts.signIns.password;
  return passkeys === 0 ? word : texts.signIns.and(word, texts.signIns.passkeys(passkeys));
}

type PersonMenuProps = { readonly person: Person; readonly onChoose: (doing: PersonAction) => void };

/** Shows the actions for a user, or nothing for a removed user. */
function PersonMenu({ person, onChoose }: PersonMenuProps) {
  if (person.status !== 'active') return null;
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={Ellipsis} label={texts.menu(person.name)} tooltip={false} size="small" />}
      items={[
        { label: texts.change.action, icon: UserCog, onSelect: () => onChoose({ what: 'role', person }) },
        {
          label: texts.remove.action,
          icon: UserMinus,
          danger: true,
          onSelect: () => onChoose({ what: 'remove', person }),
        },
      ]}
    />
  );
}
