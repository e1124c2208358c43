import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangePortalTaxDetailsBody } from '@whence/sdk';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../session.ts';
import { settings } from './settings-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { TaxFacts } from '#web/ui/tax/tax-facts.tsx';
import { TaxForm } from '#web/ui/tax/tax-form.tsx';
import { taxWords } from '#web/ui/tax/tax-texts.ts';
import { taxQuery } from './tax-query.ts';

const texts = settings.tax;

/**
 * Shows the partner's tax details if the merchant asks for them, or if the partner has already entered them. The
 * partner can change them only while the merchant asks for them.
 */
export function TaxCard() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { portal } = useSession();
  const { data } = useQuery(taxQuery(api));
  const [editing, setEditing] = useState(false);
  if (data === undefined || (data.setting === 'not-asked' && data.taxDetails === null)) return null;
  const { setting, taxDetails } = data;
  const save = async (given: ChangePortalTaxDetailsBody['taxDetails']): Promise<void> => {
    queryClient.setQueryData(taxQuery(api).queryKey, await api.portal.changeTaxDetails({ taxDetails: given }));
    toast.success(taxWords.saved, settings.payout.savedDetail);
  };
  return (
    <Card title={taxWords.title} description={texts.help(portal.name)}>
      {editing ? (
        <TaxForm before={taxDetails} onSave={save} onClose={() => setEditing(false)} />
      ) : (
        <Stack gap={3} align="start">
          {taxDetails === null ? (
            <Text>{setting === 'required' ? texts.required(portal.name) : texts.asked(portal.name)}</Text>
          ) : (
            <TaxFacts details={taxDetails} />
          )}
          {setting !== 'not-asked' && (
            <Row>
              <Button
                variant={taxDetails === null ? 'primary' : 'secondary'}
                icon={FileText}
                onClick={() => setEditing(true)}
              >
                {taxDetails === null ? texts.add : taxWords.change}
              </Button>
            </Row>
          )}
        </Stack>
      )}
    </Card>
  );
}
