import {
  Activity,
  BookOpen,
  Coins,
  Boxes,
  CircleCheck,
  History,
  Home,
  Images,
  KeyRound,
  Landmark,
  type LucideIcon,
  Mail,
  Megaphone,
  Percent,
  Plug,
  Radio,
  Route,
  Settings,
  ShieldAlert,
  ShoppingBag,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react';
import { frame as texts } from './frame-texts.ts';
import type { WaitingKind } from '../waiting.ts';

/** A page in the navigation. */
export type Destination = {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The key to press after `g` to open the page. */
  readonly key?: string;
  /** The waiting resources whose number is shown next to the label. */
  readonly waiting?: WaitingKind;
  /** Whether the command menu shows the page only to users with write permission. Default: false. */
  readonly writes?: boolean;
};

export type NavigationGroup = { readonly label?: string; readonly destinations: readonly Destination[] };

const { places, groups } = texts;

export const NAVIGATION: readonly NavigationGroup[] = [
  { destinations: [{ to: '/', label: places.overview, icon: Home, key: 'o' }] },
  {
    label: groups.earning,
    destinations: [
      { to: '/programs', label: places.programs, icon: Percent, key: 'p' },
      { to: '/groups', label: places.groups, icon: Boxes, key: 'g' },
      { to: '/collaborators', label: places.collaborators, icon: Users, key: 'c', waiting: 'collaborators' },
      { to: '/materials', label: places.materials, icon: Images, key: 'm' },
    ],
  },
  {
    label: groups.activity,
    destinations: [
      { to: '/opportunities', label: places.opportunities, icon: Route, key: 'j' },
      { to: '/sales', label: places.sales, icon: ShoppingBag, key: 's' },
      { to: '/conversions', label: places.conversions, icon: CircleCheck, key: 'v', waiting: 'conversions' },
      { to: '/fraud', label: places.fraud, icon: ShieldAlert, key: 'f' },
      { to: '/payouts', label: places.payouts, icon: Landmark, key: 'y', waiting: 'payouts' },
    ],
  },
  {
    label: groups.developers,
    destinations: [
      { to: '/live', label: places.live, icon: Radio, key: 'l', waiting: 'events' },
      { to: '/connectors', label: places.connectors, icon: Plug, key: 'n', waiting: 'connectors' },
      { to: '/webhooks', label: places.webhooks, icon: Webhook, key: 'w', waiting: 'webhooks' },
      { to: '/keys', label: places.keys, icon: KeyRound, key: 'k' },
    ],
  },
  {
    label: groups.organization,
    destinations: [
      { to: '/people', label: places.people, icon: UserCog, key: 'e' },
      { to: '/audit', label: places.audit, icon: History, key: 'a' },
      { to: '/settings', label: places.settings, icon: Settings, key: 't' },
    ],
  },
];

/** The pages and dialogs in the command menu that are not in the navigation. */
export const FURTHER: readonly Destination[] = [
  { to: '/start', label: places.start, icon: BookOpen },
  { to: '/programs/new', label: places.newProgram, icon: Percent, writes: true },
  { to: '/collaborators?new=partner', label: places.newCollaborator, icon: Users, writes: true },
  { to: '/sales?new=sale', label: places.newSale, icon: ShoppingBag, writes: true },
  { to: '/payouts?new=run', label: places.newRun, icon: Landmark, writes: true },
  { to: '/connectors?new=connector', label: places.newConnector, icon: Plug, writes: true },
  { to: '/webhooks?new=webhook', label: places.newWebhook, icon: Webhook, writes: true },
  { to: '/keys?new=key', label: places.newKey, icon: KeyRound, writes: true },
  { to: '/people?new=invitation', label: places.newInvitation, icon: UserCog, writes: true },
  { to: '/settings/portal', label: places.portal, icon: Activity },
  { to: '/announcements', label: places.announcements, icon: Megaphone, writes: true },
  { to: '/settings/emails', label: places.emails, icon: Mail },
  { to: '/settings/payouts', label: places.payoutSettings, icon: Landmark },
  { to: '/settings/currency', label: places.currency, icon: Coins },
  { to: '/settings/account', label: places.account, icon: UserCog },
];

export const DESTINATIONS: readonly Destination[] = NAVIGATION.flatMap(({ destinations }) => destinations);
