import type { ComparedOrder, Connector, Reconciliation } from '@whence/sdk';
import { ListPlus, Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useSession, usePermission } from '../session.ts';
import { comparison as words } from './comparison-texts.ts';
import { ComparisonTable } from './comparison-table.tsx';
import { connectors as texts } from './connectors-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import type { BulkAction } from '#web/ui/table/data-table.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { readText } from '#web/ui/form/read-file.ts';
import { shownProblem } from '#web/ui/feedback/shown-problem.ts';
import { useApi } from '#web/ui/shell/api.tsx';

/** The maximum length of a compared list in the API, in characters. */
const MAX_CHARACTERS = 1_000_000;
/** The maximum number of orders that one call of the API records. */
const MAX_RECORDED = 50;

type Compared = { readonly csv: string; readonly result: Reconciliation };

/**
 * Compares an export of the connector’s system with the sales in Whence, and records missing orders after a
 * confirmation.
 */
export function ComparisonCard({ connector }: { readonly connector: Connector }) {
  const api = useApi();
  const { publicUrl } = useSession();
  const may = usePermission('events:write');
  const input = useRef<HTMLInputElement>(null);
  /** The order ids to record after confirmation. */
  const [orderIds, setOrderIds] = useState<readonly string[]>([]);
  const [isAsking, setAsking] = useState(false);
  const { mutate, data, error, isPending } = useCall(async (api, csv: string): Promise<Compared> => ({
    csv,
    result: await api.connectors.reconcile(connector.id, { csv }),
  }));
  const [fault, setFault] = useState<string>();
  const system = texts.kinds[connector.kind];
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = event.target.files ?? [];
    // Browsers report no change when the user chooses the same file again, so clear the input.
    event.target.value = '';
    if (file === undefined) return;
    try {
      const csv = await readText(file);
      const isTooLarge = csv.length > MAX_CHARACTERS;
      setFault(isTooLarge ? words.tooLarge : undefined);
      if (!isTooLarge) mutate(csv);
    } catch (thrown) {
      setFault(shownProblem(thrown).detail);
    }
  };
  const recordable = (data?.result.orders ?? []).filter(isRecordable);
  const ask = (orders: readonly ComparedOrder[]): void => {
    setOrderIds(orders.map(({ externalId }) => externalId));
    setAsking(true);
  };
  const record = async (): Promise<void> => {
    if (data === undefined) return;
    // Also compare the list again after an error, because some of the orders may be recorded.
    await recordOrders(data.csv, orderIds).finally(() => mutate(data.csv));
  };
  const recordOrders = async (csv: string, externalIds: readonly string[]): Promise<void> => {
    const outcomes = [];
    for (let from = 0; from < externalIds.length; from += MAX_RECORDED) {
      const body = { csv, externalIds: externalIds.slice(from, from + MAX_RECORDED) };
      outcomes.push(...(await api.connectors.recordListedOrders(connector.id, body)));
    }
    const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
    const [first] = refused;
    if (first !== undefined) toast.error(words.refused(refused.length, first.reason ?? ''));
    if (refused.length < outcomes.length) toast.success(words.recorded(outcomes.length - refused.length));
  };
  return (
    <Card title={words.title(system)} description={words.description}>
      <Stack gap={3}>
        <Text as="p">
          {words.exports[connector.kind]}{' '}
          <Link href={`${publicUrl}/docs/guides/reference/connectors#compare-with-a-list`}>{words.guide}</Link>
        </Text>
        <input ref={input} type="file" accept=".csv,text/csv" hidden onChange={(event) => void read(event)} />
        <Row>
          <Button icon={Upload} busy={isPending} onClick={() => input.current?.click()}>
            {data === undefined ? words.choose : words.another}
          </Button>
          {may && recordable.length > 0 && (
            <Button variant="primary" onClick={() => ask(recordable)}>
              {words.record(recordable.length)}
            </Button>
          )}
        </Row>
        {fault !== undefined && <Notice tone="warn" title={fault} />}
        {error !== null && <ErrorPanel error={error} />}
        {data !== undefined && error === null && (
          <ComparisonTable result={data.result} system={system} bulk={may ? [recordAction(ask)] : []} />
        )}
      </Stack>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.recordTitle(orderIds.length)}
        confirmLabel={words.record(orderIds.length)}
        onConfirm={record}
      >
        {words.recordDetail}
      </ConfirmDialog>
    </Card>
  );
}

function recordAction(ask: (orders: readonly ComparedOrder[]) => void): BulkAction<ComparedOrder> {
  return {
    id: 'record',
    label: words.recordSelected,
    icon: ListPlus,
    enabled: (orders) => orders.every(isRecordable),
    run: ask,
  };
}

function isRecordable({ outcome, obstacle }: ComparedOrder): boolean {
  return outcome === 'missing-here' && obstacle === null;
}

/** Returns whether lists of the connector’s system can be compared. */
export function isComparable({ kind }: Connector): boolean {
  return words.exports[kind] !== undefined;
}
