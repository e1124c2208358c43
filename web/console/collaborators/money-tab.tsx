import type { Collaborator } from '@whence/sdk';
import { usePermission } from '../session.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Balances } from './balances.tsx';
import { PayoutDetailsCard } from './payout-details-card.tsx';
import { TaxDetailsCard } from './tax-details-card.tsx';
import { StatementCard, type StatementState } from './statement-card.tsx';

export type MoneyTabProps = {
  readonly collaborator: Collaborator;
  readonly state: StatementState;
  onChange(this: void, patch: StatementState): void;
};

export function MoneyTab({ collaborator, state, onChange }: MoneyTabProps) {
  const { id } = collaborator;
  const may = usePermission('resources:write');
  return (
    <Stack gap={4}>
      <Balances collaboratorId={id} />
      <StatementCard collaboratorId={id} state={state} onChange={onChange} />
      {may && <PayoutDetailsCard collaboratorId={id} />}
      {may && <TaxDetailsCard collaborator={collaborator} />}
    </Stack>
  );
}
