import { useQueryClient } from '@tanstack/react-query';
import type { ChangeTaxDetailsBody, Collaborator } from '@whence/sdk';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { collaboratorTabs } from './collaborator-tabs-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { LazyConfirmDialog } from '#web/ui/overlay/lazy-dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { TaxFacts } from '#web/ui/tax/tax-facts.tsx';
import { TaxForm } from '#web/ui/tax/tax-form.tsx';
import { taxWords } from '#web/ui/tax/tax-texts.ts';

const words = collaboratorTabs.tax;

/** Shows a partner's tax details with masked numbers. The merchant can change or remove them. */
export function TaxDetailsCard({ collaborator: { id, name, status } }: { readonly collaborator: Collaborator }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const queryKey = ['collaborators', 'taxDetails', id];
  const { data, error, refetch } = useRead(queryKey, (api, options) => api.collaborators.getTaxDetails(id, options));
  const change = async (taxDetails: ChangeTaxDetailsBody['taxDetails']): Promise<void> => {
    queryClient.setQueryData(queryKey, await api.collaborators.changeTaxDetails(id, { taxDetails }));
    if (taxDetails === null) toast.success(words.removed);
    else toast.success(taxWords.saved, placeOf(document).sendsMail ? taxWords.savedDetail(name) : undefined);
  };
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={5} />;
  const { taxDetails } = data;
  return (
    <Card title={taxWords.title} description={words.help}>
      {isEditing ? (
        <TaxForm before={taxDetails} onSave={change} onClose={() => setEditing(false)} />
      ) : (
        <Stack gap={3}>
          {taxDetails === null ? <Text tone="muted">{words.none}</Text> : <TaxFacts details={taxDetails} />}
          {status !== 'deleted' && (
            <Row>
              <Button icon={FileText} onClick={() => setEditing(true)}>
                {taxDetails === null ? words.add : words.change}
              </Button>
              {taxDetails !== null && (
                <Button variant="ghost" onClick={() => setAsking(true)}>
                  {words.remove}
                </Button>
              )}
            </Row>
          )}
        </Stack>
      )}
      <LazyConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.removeTitle}
        confirmLabel={words.removeConfirm}
        danger
        onConfirm={() => change(null)}
      >
        {words.removeDetail}
      </LazyConfirmDialog>
    </Card>
  );
}
