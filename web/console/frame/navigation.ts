import {
  Activity,
  BookOpen,
  Coins,
  Boxes,
  CircleCheck,
  FileSpreadsheet,
  FileText,
  FileUp,
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
import type { Scope } from '../session.ts';
import type { WaitingKind } from '../waiting.ts';

/** A page in the navigation. */
export type Destination = {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The key to press after `g` to open the page. */
  readonly key?: string;
  /** The waiting resources whose number is shown next to the label. */
  readonly waiting?: readonly WaitingKind[];
  /** The permission without which the command menu doesn't show the page. */
  readonly scope?: Scope;
  /** Alternative search terms in the command menu. */
  readonly keywords?: string;
};

export type NavigationGroup = { readonly label?: string; readonly destinations: readonly Destination[] };

const { places, groups } = texts;

export const NAVIGATION: readonly NavigationGroup[] = [
  { destinations: [{ to: '/', label: places.overview, icon: Home, key: 'o' }] },
  {
    label: groups.earning,
    destinations: [
      { to: '/programs', label: places.programs, icon: Percent, key: 'p', keywords: places.programsWords },
      { to: '/groups', label: places.groups, icon: Boxes, key: 'g' },
      { to: '/collaborators', label: places.collaborators, icon: Users, key: 'c', waiting: ['collaborators'] },
      { to: '/materials', label: places.materials, icon: Images, key: 'm' },
    ],
  },
  {
    label: groups.activity,
    destinations: [
      { to: '/opportunities', label: places.opportunities, icon: Route, key: 'j' },
      { to: '/sales', label: places.sales, icon: ShoppingBag, key: 's' },
      { to: '/conversions', label: places.conversions, icon: CircleCheck, key: 'v', waiting: ['conversions'] },
      { to: '/fraud', label: places.fraud, icon: ShieldAlert, key: 'f', waiting: ['held'] },
      { to: '/payouts', label: places.payouts, icon: Landmark, key: 'y', waiting: ['payouts', 'requests'] },
    ],
  },
  {
    label: groups.developers,
    destinations: [
      { to: '/live', label: places.live, icon: Radio, key: 'l', waiting: ['events'] },
      { to: '/connectors', label: places.connectors, icon: Plug, key: 'n', waiting: ['connectors'] },
      { to: '/webhooks', label: places.webhooks, icon: Webhook, key: 'w', waiting: ['webhooks'] },
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

/** The pages and tabs in the command menu that are not in the navigation. */
export const FURTHER: readonly Destination[] = [
  { to: '/start', label: places.start, icon: BookOpen },
  { to: '/backtests', label: places.backtests, icon: History, keywords: places.backtestsWords },
  {
    to: '/announcements',
    label: places.announcements,
    icon: Megaphone,
    keywords: places.announcementsWords,
    scope: 'resources:write',
  },
  {
    to: '/collaborators?tab=performance',
    label: places.performance,
    icon: Users,
    keywords: places.performanceWords,
  },
  { to: '/collaborators?tab=waiting', label: places.applications, icon: Users },
  { to: '/fraud?tab=partners', label: places.fraudPartners, icon: ShieldAlert },
  { to: '/fraud?tab=signals', label: places.fraudSignals, icon: ShieldAlert },
  { to: '/fraud?tab=lists', label: places.fraudLists, icon: ShieldAlert, keywords: places.fraudListsWords },
  { to: '/payouts?tab=runs', label: places.runs, icon: Landmark },
  { to: '/payouts?tab=requests', label: places.requests, icon: Landmark },
  { to: '/payouts?tab=review', label: places.reviews, icon: Landmark },
  { to: '/settings/portal', label: places.portal, icon: Activity },
  { to: '/settings/agreement', label: places.agreement, icon: FileText },
  { to: '/settings/emails', label: places.emails, icon: Mail },
  { to: '/settings/payouts', label: places.payoutSettings, icon: Landmark, keywords: places.payoutSettingsWords },
  { to: '/settings/currency', label: places.currency, icon: Coins },
  { to: '/settings/account', label: places.account, icon: UserCog, keywords: places.accountWords },
];

/** The actions in the command menu. Each opens a dialog or a page. */
export const ACTIONS: readonly Destination[] = [
  { to: '/programs/new', label: places.newProgram, icon: Percent, scope: 'resources:write' },
  { to: '/groups?new=group', label: places.newGroup, icon: Boxes, scope: 'resources:write' },
  { to: '/collaborators?new=partner', label: places.newCollaborator, icon: Users, scope: 'resources:write' },
  { to: '/materials?new=material', label: places.newMaterial, icon: Images, scope: 'resources:write' },
  { to: '/sales?new=sale', label: places.newSale, icon: ShoppingBag, scope: 'events:write' },
  { to: '/payouts?new=run', label: places.newRun, icon: Landmark, scope: 'resources:write' },
  { to: '/payouts?new=results', label: places.importResults, icon: FileUp, scope: 'resources:write' },
  {
    to: '/payouts?new=year',
    label: places.yearExport,
    icon: FileSpreadsheet,
    keywords: places.yearExportWords,
    scope: 'resources:write',
  },
  { to: '/settings/currency', label: places.importRates, icon: Coins, scope: 'resources:write' },
  { to: '/connectors?new=connector', label: places.newConnector, icon: Plug, scope: 'resources:write' },
  { to: '/webhooks?new=webhook', label: places.newWebhook, icon: Webhook, scope: 'resources:write' },
  { to: '/keys?new=key', label: places.newKey, icon: KeyRound, scope: 'keys:write' },
  { to: '/people?new=invitation', label: places.newInvitation, icon: UserCog, scope: 'people:write' },
];

export const DESTINATIONS: readonly Destination[] = NAVIGATION.flatMap(({ destinations }) => destinations);
