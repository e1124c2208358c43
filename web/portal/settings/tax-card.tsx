import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangePortalTaxDetailsBody } from '@whence/sdk';
import { FileText } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useSession } from '../session.ts';
import { settings } from './settings-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { taxWords } from '#web/ui/tax/tax-texts.ts';
import { taxQuery } from './tax-query.ts';

const texts = settings.tax;

// The list of countries is large compared with the page, and few visits change tax details.
const TaxForm = lazy(() => import('#web/ui/tax/tax-form.tsx').then((module) => ({ default: module.TaxForm })));
const TaxFacts = lazy(() => import('#web/ui/tax/tax-facts.tsx').then((module) => ({ default: module.TaxFacts })));

/** Shows the partner's tax details if the merchant asks for them. The partner can change them. */
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
    toast.success(taxWords.saved, taxWords.savedOwn);
  };
  return (
    <Card title={taxWords.title} description={texts.help(portal.name)}>
      <Suspense fallback={<Skeleton lines={5} />}>
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
      </Suspense>
    </Card>
  );
}
