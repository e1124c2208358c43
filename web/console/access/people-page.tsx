import { UserPlus } from 'lucide-react';
import { usePermission } from '../session.ts';
import { people as texts } from './people-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { besideField, choiceField, useListState, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PersonList } from './person-list.tsx';

const SCHEMA = {
  tab: choiceField(['people', 'invitations'], 'people'),
  /** The name of the open dialog. It is in the URL, so that a link can open the dialog. */
  new: besideField(choiceField(['invitation'])),
  ...optionalFields('role', 'status', 'createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
};

/**
 * The patch that clears the filters and the sorting when the tab changes. People and invitations have different
 * filters.
 */
const NO_FILTERS = {
  role: undefined,
  status: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  sort: undefined,
};

export function PeoplePage() {
  const may = usePermission('people:write');
  const [{ tab, new: opened, ...state }, change] = useListState(SCHEMA);
  const invite = (): void => change({ new: 'invitation' });
  useHotkeys([{ keys: 'n', label: texts.invite, run: invite }], { group: texts.title, enabled: may });
  const button = may && (
    <Button variant="primary" icon={UserPlus} hotkey="N" onClick={invite}>
      {texts.invite}
    </Button>
  );
  const list = { state, onChange: change };
  return (
    <Page title={texts.title} description={texts.description} actions={button}>
      <Tabs
        label={texts.tabs}
        value={tab}
        onChange={(value) => change({ ...NO_FILTERS, tab: value })}
        tabs={[
          { value: 'people', label: texts.tab.people, content: <PersonList {...list} /> },
          {
            value: 'invitations',
            label: texts.tab.invitations,
            content: <InvitationList {...list} invite={button} />,
          },
        ]}
      />
      {opened === 'invitation' && <InviteDialog onClose={() => change({ new: undefined }, { replace: true })} />}
    </Page>
  );
}
