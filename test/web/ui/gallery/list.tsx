import { Check, MoreHorizontal, Plus, Split, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { Badge, StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import * as data from './data.ts';
import { type ListState } from '#web/ui/table/list-query.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { NameWithAvatar } from '#web/ui/controls/avatar.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const columns: readonly Column<data.Sale>[] = [
  { id: 'order', header: 'Order', cell: ({ order }) => order, sort: 'id' },
  { id: 'who', header: 'Collaborator', cell: ({ who }) => <NameWithAvatar name={who} /> },
  { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'amount',
    header: 'Amount',
    cell: ({ minor, currency }) => <Money minor={minor} currency={currency} paleZero />,
    align: 'end',
    sort: 'amount',
    onCard: 'top',
  },
  { id: 'program', header: 'Program', cell: ({ program }) => program, priority: 3 },
  { id: 'at', header: 'Created', cell: ({ at }) => <Time at={at} />, priority: 2, tight: true, sort: 'at' },
];

export function List() {
  const [state, setState] = useState<ListState>({
    status: new URLSearchParams(location.search).get('status') ?? undefined,
  });
  const [gone, setGone] = useState<ReadonlySet<number>>(new Set());
  const [opened, setOpened] = useState('');
  const change = (patch: ListState) => setState((before) => ({ ...before, ...patch }));
  const approve = (rows: readonly data.Sale[]) => {
    const ids = new Set(rows.map(({ id }) => id));
    setGone(ids);
    toast.undoable({
      title: `${ids.size} approved`,
      commit: () => setOpened('committed'),
      onUndo: () => setGone(new Set()),
      delayMs: 60_000,
    });
  };
  return (
    <Page
      title="Conversions"
      badge={<Badge tone="accent">61</Badge>}
      actions={
        <Button variant="primary" icon={Plus} hotkey="N">
          New credit
        </Button>
      }
    >
      <DataTable
        label="Conversions"
        queryKey={['gallery']}
        load={data.loadSales}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ order }) => order}
        state={state}
        onChange={change}
        defaultSort="-id"
        onOpen={({ order }) => setOpened(order)}
        hidden={({ id }) => gone.has(id)}
        csv={() => Promise.resolve(data.longFile())}
        filters={data.saleFilters}
        search={{ name: 'q', label: 'Order' }}
        bulk={[
          { id: 'approve', label: 'Approve', icon: Check, hotkey: 'a', run: approve },
          {
            id: 'reject',
            label: 'Reject',
            icon: X,
            danger: true,
            run: () => undefined,
            enabled: (rows) => rows.every(({ status }) => status === 'pending'),
          },
        ]}
        rowActions={({ order }) => (
          <Menu
            trigger={<IconButton icon={MoreHorizontal} label={`More for ${order}`} size="small" tooltip={false} />}
            items={[
              { label: 'Explain', icon: Split, onSelect: () => setOpened(`why ${order}`) },
              'separator',
              { label: 'Reject', icon: Trash2, danger: true },
            ]}
          />
        )}
      />
      <Text as="p" tone="muted">
        <output id="opened">{opened}</output>
      </Text>
    </Page>
  );
}
