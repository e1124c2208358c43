// Made by `npm run sdk` from openapi.json. Don’t edit it.

export interface AcceptInvitationBody {
  /**
   * What stands behind the `#` of the link.
   * @example q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o
   */
  token: string;
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name: string;
  /**
   * The address that they log in with.
   * @example ada@example.com
   */
  email?: (string | null) | undefined;
  /**
   * The new password: at least 10 characters of any kind, and none that are tried first.
   * @example seven quiet herons
   */
  password: string;
}
/** A code that leads to a collaborator, written `<type>:<code>` in reports. */
export interface Alias {
  /**
   * The alias’ id.
   * @example 9
   */
  id: number;
  /**
   * Whom it leads to.
   * @example 7
   */
  collaboratorId: number;
  /**
   * What kind of code it is.
   * @example tracking
   */
  type: string;
  /**
   * The code as it was given.
   * @example ada
   */
  code: string;
  /**
   * Only current ones lead to their collaborator.
   */
  status: 'current' | 'retired';
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was retired, or moved to another collaborator.
   * @example 2026-11-21T09:30:00.000Z
   */
  retiredAt: string | null;
}
/** A key, without its secret part. */
export interface ApiKey {
  /**
   * The key’s id.
   * @example 3
   */
  id: number;
  /**
   * Secret keys are for servers; publishable ones may only report visits.
   */
  kind: 'secret' | 'publishable';
  /**
   * Whether it works: `active`, `revoked`, or `expired` once `expiresAt` has passed.
   */
  status: 'active' | 'revoked' | 'expired';
  /**
   * What it is for.
   * @example Checkout
   */
  label: string;
  /**
   * How the key begins, to tell it from others.
   * @example sk_live_a1B2
   */
  keyPrefix: string;
  /** What it may do. */
  scopes: ('events:write' | 'resources:read' | 'resources:write' | 'keys:write' | 'people:write')[];
  /**
   * Where browsers may use it; empty: anywhere.
   * @example []
   */
  origins: string[];
  /**
   * When it was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it ends by itself.
   * @example 2026-11-21T09:30:00.000Z
   */
  expiresAt: string | null;
  /**
   * When it was revoked.
   * @example 2026-11-21T09:30:00.000Z
   */
  revokedAt: string | null;
  /**
   * The key that took over, when it was rotated.
   * @example 4
   */
  replacedBy: number | null;
  /**
   * When it was last used, to the minute.
   * @example 2026-11-21T09:30:00.000Z
   */
  lastUsedAt: string | null;
}
/** One change that somebody made by the interface. Never removed, and never changed, but that values go when a collaborator is erased. */
export interface AuditEntry {
  /**
   * The entry’s id.
   * @example 201
   */
  id: number;
  /**
   * When the change was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  at: string;
  /**
   * Who made it: `key 3` is the API key with the id 3, `person 5` a person, `collaborator 7` a collaborator, `command line` whoever ran `whence` on the server.
   * @example key 3
   */
  author: string;
  /**
   * What was called, by its `operationId` in this document.
   * @example changeProgram
   */
  operation: string;
  /**
   * What it was called on.
   * @example /v1/programs/5
   */
  path: string;
  /**
   * The body as it was sent, without secrets; null where the call takes none.
   * @example {
   *       "name": "Partners"
   *     }
   */
  request: unknown;
  /**
   * The resource before the change, as its `GET` showed it; null at a creation. Of a call over many: the id and the status of each.
   * @example {
   *       "id": 5,
   *       "name": "Affiliates"
   *     }
   */
  before: unknown;
  /**
   * What was answered, without secrets; null for an empty answer.
   * @example {
   *       "id": 5,
   *       "name": "Partners"
   *     }
   */
  after: unknown;
}
/** What a collaborator has in one currency. */
export interface Balance {
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * What is payable and not paid yet: `pending` and `inPayout`. In hundredths of the major unit.
   * @example 500
   */
  balance: number;
  /**
   * Earned, and not approved yet. In hundredths of the major unit.
   * @example 0
   */
  draft: number;
  /**
   * Waits for a run of payouts; claw-backs count negative. In hundredths of the major unit.
   * @example 500
   */
  pending: number;
  /**
   * In a payout that is not paid. In hundredths of the major unit.
   * @example 0
   */
  inPayout: number;
  /**
   * Paid so far. In hundredths of the major unit.
   * @example 0
   */
  paid: number;
}
/** One claim that was considered, and what became of it. */
export interface Candidate {
  /**
   * Who was considered.
   * @example 7
   */
  collaboratorId: number;
  /**
   * Whether they earned.
   */
  outcome: 'won' | 'lost';
  /**
   * Why not, as a stable code; of one that won, that a cap has cut the share.
   * @example window-expired
   */
  reason?: string | undefined;
  /**
   * The program.
   * @example 5
   */
  programId?: number | undefined;
  /**
   * The version that decided.
   * @example 1
   */
  programVersion?: number | undefined;
  /**
   * The claim.
   * @example 21
   */
  engagementId?: number | undefined;
  /**
   * Its points at that time.
   * @example 3
   */
  score?: number | undefined;
  /**
   * Its first touch.
   * @example 2026-11-21T09:30:00.000Z
   */
  firstAt?: string | undefined;
  /**
   * Its last touch.
   * @example 2026-11-21T09:30:00.000Z
   */
  lastAt?: string | undefined;
  /**
   * The lines that count in this program. In hundredths of the major unit.
   * @example 4999
   */
  base?: number | undefined;
  /**
   * The pieces that count.
   * @example 1
   */
  quantity?: number | undefined;
  /**
   * Its part in the split.
   * @example 1
   */
  weight?: number | undefined;
  /**
   * Of its amounts, where it is another than the explanation’s: a lead has the program’s.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Whose reward applied: that of a tier, or the collaborator’s own. Absent: the program’s.
   */
  terms?: ('tier' | 'own') | undefined;
  /**
   * The tier that was reached: a sum in hundredths, or a number of conversions.
   * @example 10
   */
  tierFrom?: number | undefined;
  /** What counted for the tiers before this decision. */
  earnedForTier?:
    | {
        /**
         * Awarded in the period. In hundredths of the major unit.
         * @example 500
         */
        sum: number;
        /**
         * Conversions in the period.
         * @example 12
         */
        count: number;
      }
    | undefined;
  /**
   * What counted for the cap per period before this decision. In hundredths of the major unit.
   * @example 500
   */
  earnedForCap?: number | undefined;
  /**
   * What the program would pay without its cap per order. In hundredths of the major unit.
   * @example 500
   */
  uncapped?: number | undefined;
  /**
   * What the program pays in all: its shares and cuts add up to it. In hundredths of the major unit.
   * @example 500
   */
  reward?: number | undefined;
  /**
   * What the cap per period took off the share. In hundredths of the major unit.
   * @example 500
   */
  cut?: number | undefined;
  /**
   * What this candidate gets of it. In hundredths of the major unit.
   * @example 500
   */
  share?: number | undefined;
  /** That a person is to look at it before it is paid. */
  hold?:
    | {
        /**
         * Why.
         * @example [
         *       "quick-sale"
         *     ]
         */
        reasons: ('visits-from-address' | 'visits-of-collaborator' | 'own-coupon' | 'quick-sale')[];
        /**
         * Which visit of the collaborator from one address in an hour it was at most.
         * @example 24
         */
        nthFromAddress?: number | undefined;
        /**
         * Which visit of the collaborator in an hour it was at most.
         * @example 1024
         */
        nthOfCollaborator?: number | undefined;
      }
    | undefined;
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  collaboratorName?: string | undefined;
  /**
   * What the program was called then.
   * @example Friends
   */
  programName?: string | undefined;
  /**
   * The arithmetic in words, a step each.
   * @example [
   *       "10% of 49.99 USD = 5.00 USD"
   *     ]
   */
  steps?: string[] | undefined;
  /**
   * Why it is held, a sentence each.
   * @example [
   *       "it came sooner after the first touch than the program lets pass: 10 seconds"
   *     ]
   */
  holds?: string[] | undefined;
  /**
   * The reason as a sentence, with what makes it one of this case.
   * @example the last touch was longer ago than the program’s window: 30 days
   */
  why?: string | undefined;
}
export interface ChangeAccountBody {
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name?: (string | null) | undefined;
}
export interface ChangeApiKeyBody {
  /**
   * What it is for.
   * @example Checkout
   */
  label?: (string | null) | undefined;
  /**
   * What a secret key may do.
   * @example [
   *       "events:write"
   *     ]
   */
  scopes?:
    (('events:write' | 'resources:read' | 'resources:write' | 'keys:write' | 'people:write')[] | null) | undefined;
  /** The pages that may use a publishable key; without any all may. */
  origins?: (string[] | null) | undefined;
  /**
   * When it ends by itself; not in the past.
   * @example 2027-01-31T00:00:00Z
   */
  expiresAt?: (string | null) | undefined;
}
export interface ChangeCollaboratorBody {
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name?: (string | null) | undefined;
  /**
   * Where to reach them.
   * @example ada@example.com
   */
  email?: (string | null) | undefined;
  /**
   * A shorter name.
   * @example ada
   */
  nickname?: (string | null) | undefined;
  /**
   * The next state; deleting is a call of its own.
   */
  status?: ('pending' | 'active' | 'inactive' | 'rejected' | null) | undefined;
  /**
   * Their own user id in your platform, so that their own visits and orders earn them nothing: an integer, or text of 1 to 255 characters without control characters.
   * @example 42
   */
  userId?: (number | string | null) | undefined;
}
export interface ChangeOrganizationBody {
  /**
   * What it is called.
   * @example Ada’s Mugs
   */
  name?: (string | null) | undefined;
  /**
   * The licensed tier.
   */
  tier?: ('lite' | 'essentials' | null) | undefined;
}
export interface ChangePasswordBody {
  /**
   * The password.
   * @example seven quiet herons
   */
  current: string;
  /**
   * The new password: at least 10 characters of any kind, and none that are tried first.
   * @example seven quiet herons
   */
  password: string;
}
export interface ChangePersonBody {
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name?: (string | null) | undefined;
  /**
   * What they may do.
   * @example manager
   */
  role?: ('owner' | 'manager' | 'viewer' | null) | undefined;
}
export interface ChangePortalAccountBody {
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name?: (string | null) | undefined;
  /** How they want to be paid. What is sent back as it is shown stays as it is. */
  payoutDetails?:
    | ({
        /**
         * How they want to be paid.
         * @example bank
         */
        method: 'bank' | 'paypal' | 'other';
        /**
         * In whose name the account is.
         * @example Ada Lovelace
         */
        holder: string;
        /**
         * Its number or address: an IBAN, an address at PayPal.
         * @example DE89 3704 0044 0532 0130 00
         */
        account: string;
      } | null)
    | undefined;
}
export interface ChangePortalSettingsBody {
  /**
   * What stands in the portal’s address, `<base>/portal/<slug>/`. Null: the portal is closed.
   * @example adas-mugs
   */
  slug?: (string | null) | undefined;
  /**
   * How you call yourself there; the organization’s name unless given.
   * @example Ada’s Mugs
   */
  name?: (string | null) | undefined;
  /**
   * The colour of buttons and links, as `#rrggbb`.
   * @example #4f46e5
   */
  accent?: (string | null) | undefined;
  /** A PNG, SVG or WebP as a data: URL in base64, at most 65536 bytes. Also served at `<base>/portal/<slug>/logo`. */
  logo?: (string | null) | undefined;
  /**
   * Where collaborators get help.
   * @example partners@shop.example
   */
  supportEmail?: (string | null) | undefined;
  /**
   * Your terms for collaborators.
   * @example https://shop.example/partners/terms
   */
  termsUrl?: (string | null) | undefined;
  /**
   * Where links lead: your shop. An open portal needs it.
   * @example https://shop.example/
   */
  landingUrl?: (string | null) | undefined;
  /**
   * The parameter in which a link has its code: the snippet’s setting, and what your shop looks for.
   * @example ref
   */
  refParameter?: (string | null) | undefined;
  /** Sites that may show the portal within their own pages (an iframe), such as `https://shop.example`. */
  embedOrigins?: (string[] | null) | undefined;
}
export interface ChangeProgramBody {
  /**
   * What it is called.
   * @example Friends
   */
  name?: (string | null) | undefined;
  /**
   * What it is for.
   * @example Ten percent for friends
   */
  description?: (string | null) | undefined;
  /**
   * Only active ones pay.
   */
  status?: ('draft' | 'active' | 'inactive' | null) | undefined;
  /**
   * Of fixed amounts: they pay only for sales in it.
   * @example USD
   */
  currency?: (string | null) | undefined;
  /**
   * Days of 24 hours after the last visit.
   * @example 30
   */
  windowDays?: (number | string | null) | undefined;
  /**
   * Who gets the credit when several referred the visitor.
   */
  attribution?: ('last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score' | null) | undefined;
  /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
  reward?:
    | (
        | (
            | {
                type: 'percent';
                /**
                 * Percent of the counted lines, up to four decimals.
                 * @example 10.5
                 */
                percent: number;
              }
            | {
                type: 'per-sale';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
            | {
                type: 'per-product';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
            | {
                type: 'per-lead';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
          )
        | null
      )
    | undefined;
  /** The kinds of lines that count. */
  countedLines?: (('product' | 'shipping' | 'tax' | 'fee' | 'discount')[] | null) | undefined;
  /** Points that each trigger adds to the score: `site-visit`, `coupon-applied`, or the slug of a custom event. One that is absent is off. At most 100. */
  triggers?:
    | ({
        [key: string]: number | string | null;
      } | null)
    | undefined;
  /** The kinds of events that it pays for. Unless given: `lead` where the reward is per lead, else `sale`. */
  pays?: (('sale' | 'lead' | 'renewal')[] | null) | undefined;
  /** Whether conversions are approved at once. */
  autoApprove?: (boolean | null) | undefined;
  /**
   * Or after so many days of 24 hours.
   * @example 14
   */
  approveAfterDays?: (number | string | null) | undefined;
  /**
   * Who may earn: everyone, or those who are enrolled.
   */
  enrollment?: ('everyone' | 'selected' | null) | undefined;
  /**
   * Whether every sale of a visitor earns, or the first alone.
   */
  creditsPer?: ('sale' | 'opportunity' | null) | undefined;
  /**
   * The group of which only one program pays.
   * @example 3
   */
  groupId?: (number | string | null) | undefined;
  /** Other rewards for those who have earned enough in the period: of the steps that are reached the last. */
  tiers?:
    | ({
        /**
         * By the UTC calendar; a week begins on Monday.
         * @example month
         */
        period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
        /**
         * What counts: the sum awarded in the period, or the number of conversions.
         */
        by: 'sum' | 'count';
        /** From the lowest to the highest. */
        steps: {
          /**
           * Where it begins: a sum in hundredths, or a number. Each above the one before.
           * @example 10000
           */
          from: number;
          /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
          reward:
            | {
                type: 'percent';
                /**
                 * Percent of the counted lines, up to four decimals.
                 * @example 10.5
                 */
                percent: number;
              }
            | {
                type: 'per-sale';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
            | {
                type: 'per-product';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
            | {
                type: 'per-lead';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              };
        }[];
      } | null)
    | undefined;
  /**
   * What the program pays for one transaction at most, in hundredths of its currency.
   * @example 500
   */
  capPerOrder?: (number | null) | undefined;
  /** What one collaborator may be awarded in a period at most. */
  capPerPeriod?:
    | ({
        /**
         * By the UTC calendar; a week begins on Monday.
         * @example month
         */
        period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      } | null)
    | undefined;
  /** Counts lines that match one of `include`, or all if there are none, and none of `exclude`. */
  lineFilter?:
    | ({
        /** Lines that count. */
        include?:
          | (
              | {
                  /**
                   * Lines with exactly this external id.
                   * @example sku-7
                   */
                  externalId?: (string | number | null) | undefined;
                  /**
                   * Lines with a name like this: `*` is any text; case does not matter.
                   * @example Gift*
                   */
                  name?: (string | null) | undefined;
                  /**
                   * Lines of this type.
                   */
                  type?: ('product' | 'shipping' | 'tax' | 'fee' | 'discount' | null) | undefined;
                }[]
              | null
            )
          | undefined;
        /** Lines that don’t, whatever includes them. */
        exclude?:
          | (
              | {
                  /**
                   * Lines with exactly this external id.
                   * @example sku-7
                   */
                  externalId?: (string | number | null) | undefined;
                  /**
                   * Lines with a name like this: `*` is any text; case does not matter.
                   * @example Gift*
                   */
                  name?: (string | null) | undefined;
                  /**
                   * Lines of this type.
                   */
                  type?: ('product' | 'shipping' | 'tax' | 'fee' | 'discount' | null) | undefined;
                }[]
              | null
            )
          | undefined;
      } | null)
    | undefined;
  /**
   * The total that a sale must have, in hundredths of the program’s currency.
   * @example 500
   */
  minimumOrder?: (number | null) | undefined;
  /** Rewards of single collaborators, which go before tiers and the program’s own. Each once. */
  collaboratorRewards?:
    | (
        | {
            /**
             * Whose reward it is.
             * @example 7
             */
            collaboratorId: number | string;
            /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
            reward:
              | {
                  type: 'percent';
                  /**
                   * Percent of the counted lines, up to four decimals.
                   * @example 10.5
                   */
                  percent: number;
                }
              | {
                  type: 'per-sale';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                }
              | {
                  type: 'per-product';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                }
              | {
                  type: 'per-lead';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                };
          }[]
        | null
      )
    | undefined;
  /** How long renewals of a sale are paid, where `pays` has them. Without it, always. */
  renewals?:
    | ({
        /**
         * So many months after the sale.
         * @example 12
         */
        months?: (number | string | null) | undefined;
        /**
         * So many renewals of a sale.
         * @example 12
         */
        times?: (number | string | null) | undefined;
      } | null)
    | undefined;
  /** What is held until a person has looked at it. What is absent is off. */
  holds?:
    | ({
        /**
         * More visits of one collaborator from one address in an hour, as browsers report them.
         * @example 20
         */
        visitsFromAddress?: (number | string | null) | undefined;
        /**
         * More visits of one collaborator in an hour.
         * @example 1000
         */
        visitsOfCollaborator?: (number | string | null) | undefined;
        /**
         * A coupon of a collaborator whose user id is, or was, the buyer’s.
         * @default false
         * @example true
         */
        ownCoupon?: (boolean | null) | undefined;
        /**
         * A sale or lead in less than so many seconds after the first touch, unless it came by a coupon alone.
         * @example 10
         */
        secondsToSale?: (number | string | null) | undefined;
      } | null)
    | undefined;
}
export interface ChangeProgramGroupBody {
  /**
   * What it is called.
   * @example Partners or friends
   */
  name?: (string | null) | undefined;
  /**
   * Whether the program with the newest or with the oldest engagement pays.
   */
  rule?: ('newest' | 'oldest' | null) | undefined;
  /** All programs of the group, in any order. */
  programIds?: ((number | string)[] | null) | undefined;
}
export interface ChangeProgramSignUpBody {
  /**
   * `closed`: nobody signs up by the portal. `approval`: whoever does is `pending` until you make them `active`. `open`: they may earn at once.
   * @example approval
   */
  mode?: ('closed' | 'approval' | 'open' | null) | undefined;
  /** What the form says about the program; its name unless given. */
  headline?: (string | null) | undefined;
  /** What you want to know of whoever signs up. Without it nothing is asked. */
  question?: (string | null) | undefined;
}
export interface ChangeWebhookBody {
  /**
   * Where to send: https, a public address, no user or password in it.
   * @example https://shop.example/whence
   */
  url?: (string | null) | undefined;
  /** The same as `url`, under the name that other implementations use. You can send it instead of `url`. */
  targetUrl?: (string | null) | undefined;
  /**
   * What it is for.
   * @example Accounting
   */
  description?: (string | null) | undefined;
  /**
   * Which messages to send. The default, `*`, means all built-in types, including types that are added later. Names from other implementations, such as `sale.created`, are sent only if they are listed.
   * @example [
   *       "payout.paid"
   *     ]
   */
  events?:
    | (
        | (
            | '*'
            | 'opportunity.created'
            | 'opportunity.merged'
            | 'engagement.created'
            | 'transaction.created'
            | 'transaction.refunded'
            | 'conversion.created'
            | 'conversion.approved'
            | 'conversion.rejected'
            | 'obligation.created'
            | 'obligation.pending'
            | 'obligation.fulfilled'
            | 'obligation.rejected'
            | 'fulfillment.created'
            | 'fulfillment.updated'
            | 'payout.created'
            | 'payout.paid'
            | 'payout.flagged'
            | 'payout.resolved'
            | 'collaborator.created'
            | 'collaborator.updated'
            | 'program.created'
            | 'program.updated'
            | 'webhook.paused'
            | 'sale.created'
            | 'refund.created'
            | 'lead.created'
            | 'renewal.created'
            | 'coupon.applied'
            | 'engagement.awarded'
            | 'engagement.completed'
            | 'conversion.renewed'
            | 'transaction.completed'
            | 'opportunity.invalidated'
            | 'collaborator.registered'
            | 'obligation.completed'
          )[]
        | null
      )
    | undefined;
  /**
   * Whether it sends; deleting is a call of its own.
   */
  status?: ('active' | 'paused' | null) | undefined;
}
/** Where the chain of hashes over an organization’s ledger stood. */
export interface Checkpoint {
  /**
   * The number of the seal; 0 before the first.
   * @example 12
   */
  number: number;
  /**
   * SHA-256 over all entries up to here, in hexadecimal; what it is made of is in docs/explanation/ledger.md.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  hash: string;
  /**
   * How many entries it covers.
   * @example 1042
   */
  entries: number;
  /**
   * The last entry that it covers.
   * @example 1057
   */
  lastEntryId: number | null;
  /**
   * When it was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  sealedAt: string | null;
}
/** Anyone who can earn. */
export interface Collaborator {
  /**
   * The collaborator’s id.
   * @example 7
   */
  id: number;
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name: string;
  /**
   * Where to reach them.
   * @example ada@example.com
   */
  email: string | null;
  /**
   * A shorter name.
   * @example ada
   */
  nickname: string | null;
  /**
   * `pending → active ⇄ inactive`, `pending → rejected`, any `→ deleted`. Only active ones earn.
   * @example active
   */
  status: 'pending' | 'active' | 'inactive' | 'rejected' | 'deleted';
  /**
   * Their own user id in your platform.
   * @example 42
   */
  userId: (number | string) | null;
  /**
   * The current ones, oldest first.
   * @example [
   *       {
   *         "type": "tracking",
   *         "code": "ada"
   *       }
   *     ]
   */
  aliases: {
    type: string;
    code: string;
  }[];
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** All that is stored of a collaborator as a person. What they have earned is in the lists and in their statement. */
export interface CollaboratorData {
  collaborator: Collaborator;
  /** All codes that led to them, retired ones too. */
  codes: {
    /**
     * What kind of code it is.
     * @example tracking
     */
    type: string;
    /**
     * The code.
     * @example ada
     */
    code: string;
    /**
     * Since when.
     * @example 2026-11-21T09:30:00.000Z
     */
    createdAt: string;
    /**
     * Until when; null: it leads to them.
     * @example 2026-11-21T09:30:00.000Z
     */
    retiredAt: string | null;
  }[];
  /**
   * Their current and former user ids.
   * @example [
   *       42
   *     ]
   */
  userIds: (number | string)[];
  /** What they have signed up for by the portal. */
  signUps: {
    /**
     * For which program.
     * @example 5
     */
    programId: number;
    /** What was asked. */
    question: string | null;
    /** What they answered. */
    answer: string | null;
    /**
     * Since when.
     * @example 2026-11-21T09:30:00.000Z
     */
    createdAt: string;
  }[];
  /** Null where they have given none. */
  payoutDetails: {
    /**
     * How they want to be paid.
     * @example bank
     */
    method: 'bank' | 'paypal' | 'other';
    /**
     * In whose name the account is.
     * @example Ada Lovelace
     */
    holder: string;
    /**
     * Its number or address.
     * @example DE02120300000000202051
     */
    account: string;
    /**
     * Since when.
     * @example 2026-11-21T09:30:00.000Z
     */
    updatedAt: string;
  } | null;
  /** Where they are logged in to the portal. */
  sessions: {
    /**
     * Since when.
     * @example 2026-11-21T09:30:00.000Z
     */
    createdAt: string;
    /**
     * When it was last used, to the minute.
     * @example 2026-11-21T09:30:00.000Z
     */
    lastSeenAt: string;
    /** What the browser says that it is. */
    userAgent: string | null;
  }[];
  /** Their passkeys, without what secures them. */
  passkeys: {
    /**
     * What they called it.
     * @example Laptop
     */
    name: string;
    /**
     * Since when.
     * @example 2026-11-21T09:30:00.000Z
     */
    createdAt: string;
    /**
     * When they last came by it.
     * @example 2026-11-21T09:30:00.000Z
     */
    lastUsedAt: string | null;
  }[];
  /** What the audit has of them, oldest first. */
  changes: {
    /**
     * When.
     * @example 2026-11-21T09:30:00.000Z
     */
    at: string;
    /**
     * Who made it, as in the audit.
     * @example key 3
     */
    author: string;
    /**
     * What was called.
     * @example changeCollaborator
     */
    operation: string;
    /** The body. */
    request: unknown;
    /** What there was before. */
    before: unknown;
    /** What was answered. */
    after: unknown;
  }[];
}
/** What a change of many made of one collaborator. */
export interface CollaboratorMove {
  /**
   * The collaborator’s id.
   * @example 7
   */
  id: number;
  /**
   * What became of them; `unchanged`: they were so already.
   */
  outcome: 'changed' | 'unchanged' | 'not-found' | 'invalid-transition';
  /**
   * The state that they are in now.
   */
  status?: ('pending' | 'active' | 'inactive' | 'rejected' | 'deleted') | undefined;
}
export interface ConfirmTotpBody {
  /**
   * Six digits of the app.
   * @example 492039
   */
  code: string;
}
/** What one collaborator earned in one program with one sale or lead. */
export interface Conversion {
  /**
   * The conversion’s id.
   * @example 41
   */
  id: number;
  /**
   * What was paid for; `manual` is a credit that a person granted.
   */
  type: 'sale' | 'lead' | 'renewal' | 'manual';
  /**
   * `pending → approved`, either `→ rejected`.
   */
  status: 'pending' | 'approved' | 'rejected';
  /**
   * The program.
   * @example 5
   */
  programId: number;
  /**
   * The version that decided.
   * @example 1
   */
  programVersion: number;
  /**
   * Who earned.
   * @example 7
   */
  collaboratorId: number;
  /**
   * By which claim; a credit by hand needs none.
   * @example 21
   */
  engagementId: number | null;
  /**
   * The visitor. Null for a credit on an order without a referral.
   * @example 5214909912345678
   */
  opportunityId: number | null;
  /**
   * On which sale, lead or renewal.
   * @example 31
   */
  transactionId: number;
  /**
   * What is owed for it.
   * @example 51
   */
  obligationId: number | null;
  /**
   * What it was worth when it was decided. In hundredths of the major unit.
   * @example 500
   */
  awarded: number;
  /**
   * What it is worth now, after partial refunds. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * `held`: pending until a person releases, approves or rejects it; `resolved`: somebody has, or it was refunded; `none`: nobody need look.
   */
  review: 'none' | 'held' | 'resolved';
  /**
   * Why it was held when it was decided; absent where it was not.
   * @example [
   *       "quick-sale"
   *     ]
   */
  holdReasons?: ('visits-from-address' | 'visits-of-collaborator' | 'own-coupon' | 'quick-sale')[] | undefined;
  /**
   * Why it was rejected.
   * @example refunded
   */
  reason?: string | undefined;
  /**
   * Of a credit by hand: the key that granted it.
   * @example key 3
   */
  author?: string | undefined;
  /**
   * Of a credit by hand: what was noted.
   * @example Came by phone
   */
  note?: string | undefined;
  /**
   * Of a pending one in a program with `approveAfterDays`: when it is approved by itself, unless a person decides before.
   * @example 2026-11-21T09:30:00.000Z
   */
  approvesAt?: string | undefined;
  /**
   * When it was decided.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** What a review of many made of one conversion. */
export interface ConversionReview {
  /**
   * The conversion’s id.
   * @example 41
   */
  id: number;
  /**
   * What became of it; `unchanged`: it was so already.
   */
  outcome: 'changed' | 'unchanged' | 'not-found' | 'invalid-transition';
  /**
   * The state it is in now.
   */
  status?: ('pending' | 'approved' | 'rejected') | undefined;
}
export interface CreateAliasBody {
  /**
   * `tracking` for links, `coupon` for codes, or one of your own.
   * @example tracking
   */
  type: string;
  /**
   * The code. Compared without regard to case.
   * @example ada
   */
  code: string;
}
export interface CreateApiKeyBody {
  /**
   * What it is for.
   * @example Checkout
   */
  label: string;
  /**
   * Secret keys are for servers, publishable ones for browsers.
   * @default secret
   */
  kind?: (('secret' | 'publishable') | null) | undefined;
  /**
   * What a secret key may do.
   * @example [
   *       "events:write"
   *     ]
   */
  scopes?:
    (('events:write' | 'resources:read' | 'resources:write' | 'keys:write' | 'people:write')[] | null) | undefined;
  /** The pages that may use a publishable key; without any all may. */
  origins?: (string[] | null) | undefined;
  /**
   * When it ends by itself; not in the past.
   * @example 2027-01-31T00:00:00Z
   */
  expiresAt?: (string | null) | undefined;
}
export interface CreateCollaboratorBody {
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name: string;
  /**
   * Where to reach them.
   * @example ada@example.com
   */
  email?: (string | null) | undefined;
  /**
   * A shorter name.
   * @example ada
   */
  nickname?: (string | null) | undefined;
  /**
   * Only active ones earn.
   * @default active
   */
  status?: (('pending' | 'active' | 'inactive') | null) | undefined;
  /**
   * Their own user id in your platform, so that their own visits and orders earn them nothing: an integer, or text of 1 to 255 characters without control characters.
   * @example 42
   */
  userId?: (number | string | null) | undefined;
  /** Codes by which reports name it. */
  aliases?:
    | (
        | {
            /**
             * `tracking` for links, `coupon` for codes, or one of your own.
             * @example tracking
             */
            type: string;
            /**
             * The code. Compared without regard to case.
             * @example ada
             */
            code: string;
          }[]
        | null
      )
    | undefined;
}
export interface CreateCustomEventBody {
  /**
   * What programs and reports call it. `site-visit` and the last path segments of the built-in reports, such as `sale`, are reserved.
   * @example quiz-done
   */
  slug: string;
  /**
   * What people call it.
   * @example Finished the quiz
   */
  name: string;
}
export interface CreateFulfillmentsBody {
  /** These alone; without any all that is pending. */
  obligationIds?: ((number | string)[] | null) | undefined;
  /**
   * Whoever is owed less in a currency gets nothing; it is carried forward. In hundredths of the major unit.
   * @example 2500
   */
  minimum?: (number | null) | undefined;
  /**
   * A run in this currency only.
   * @example USD
   */
  currency?: (string | null) | undefined;
}
export interface CreateInvitationBody {
  /**
   * The address that they log in with.
   * @example ada@example.com
   */
  email: string;
  /**
   * What they may do.
   * @example manager
   */
  role: 'owner' | 'manager' | 'viewer';
}
export interface CreatePasskeyBody {
  /**
   * What to call it.
   * @example Phone
   */
  name: string;
  /** What `navigator.credentials.create` has answered, as WebAuthn’s JSON. */
  response: {
    /**
     * The credential’s id, as base64url.
     * @example mJ5vQ0Xk3o9cYb1oQ2Zr7A
     */
    id: string;
    /**
     * The same.
     * @example mJ5vQ0Xk3o9cYb1oQ2Zr7A
     */
    rawId: string;
    /**
     * What kind of credential it is.
     */
    type: 'public-key';
    response: {
      /**
       * What the browser says, as base64url.
       * @example eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0
       */
      clientDataJSON: string;
      /**
       * What the authenticator says, as base64url.
       * @example o2NmbXRkbm9uZQ
       */
      attestationObject: string;
      /** How the authenticator can be reached. */
      transports?: (string[] | null) | undefined;
    };
  };
}
export interface CreatePortalLinkBody {
  /**
   * What the collaborator calls it by, such as a newsletter: letters, digits, `_` and `-`.
   * @example newsletter
   */
  subId?: (string | null) | undefined;
}
export interface CreatePortalPasskeyBody {
  /**
   * What to call it.
   * @example Phone
   */
  name: string;
  /** What `navigator.credentials.create` has answered, as WebAuthn’s JSON. */
  response: {
    /**
     * The credential’s id, as base64url.
     * @example mJ5vQ0Xk3o9cYb1oQ2Zr7A
     */
    id: string;
    /**
     * The same.
     * @example mJ5vQ0Xk3o9cYb1oQ2Zr7A
     */
    rawId: string;
    /**
     * What kind of credential it is.
     */
    type: 'public-key';
    response: {
      /**
       * What the browser says, as base64url.
       * @example eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0
       */
      clientDataJSON: string;
      /**
       * What the authenticator says, as base64url.
       * @example o2NmbXRkbm9uZQ
       */
      attestationObject: string;
      /** How the authenticator can be reached. */
      transports?: (string[] | null) | undefined;
    };
  };
}
export interface CreateProgramBody {
  /**
   * What it is called.
   * @example Friends
   */
  name: string;
  /**
   * What it is for.
   * @example Ten percent for friends
   */
  description?: (string | null) | undefined;
  /**
   * Only active ones pay.
   * @default active
   */
  status?: (('draft' | 'active' | 'inactive') | null) | undefined;
  /**
   * Of fixed amounts: they pay only for sales in it.
   * @default USD
   * @example USD
   */
  currency?: (string | null) | undefined;
  /**
   * Days of 24 hours after the last visit.
   * @default 30
   * @example 30
   */
  windowDays?: (number | string | null) | undefined;
  /**
   * Who gets the credit when several referred the visitor.
   * @default last-touch
   */
  attribution?: (('last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score') | null) | undefined;
  /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
  reward:
    | {
        type: 'percent';
        /**
         * Percent of the counted lines, up to four decimals.
         * @example 10.5
         */
        percent: number;
      }
    | {
        type: 'per-sale';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      }
    | {
        type: 'per-product';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      }
    | {
        type: 'per-lead';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      };
  /**
   * The kinds of lines that count.
   * @default [
   *       "product",
   *       "discount"
   *     ]
   */
  countedLines?: (('product' | 'shipping' | 'tax' | 'fee' | 'discount')[] | null) | undefined;
  /** Points that each trigger adds to the score: `site-visit`, `coupon-applied`, or the slug of a custom event. One that is absent is off. At most 100. */
  triggers?:
    | ({
        [key: string]: number | string | null;
      } | null)
    | undefined;
  /** The kinds of events that it pays for. Unless given: `lead` where the reward is per lead, else `sale`. */
  pays?: (('sale' | 'lead' | 'renewal')[] | null) | undefined;
  /**
   * Whether conversions are approved at once.
   * @default false
   */
  autoApprove?: (boolean | null) | undefined;
  /**
   * Or after so many days of 24 hours.
   * @example 14
   */
  approveAfterDays?: (number | string | null) | undefined;
  /**
   * Who may earn: everyone, or those who are enrolled.
   * @default everyone
   */
  enrollment?: (('everyone' | 'selected') | null) | undefined;
  /**
   * Whether every sale of a visitor earns, or the first alone.
   * @default sale
   */
  creditsPer?: (('sale' | 'opportunity') | null) | undefined;
  /**
   * The group of which only one program pays.
   * @example 3
   */
  groupId?: (number | string | null) | undefined;
  /** Other rewards for those who have earned enough in the period: of the steps that are reached the last. */
  tiers?:
    | ({
        /**
         * By the UTC calendar; a week begins on Monday.
         * @example month
         */
        period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
        /**
         * What counts: the sum awarded in the period, or the number of conversions.
         */
        by: 'sum' | 'count';
        /** From the lowest to the highest. */
        steps: {
          /**
           * Where it begins: a sum in hundredths, or a number. Each above the one before.
           * @example 10000
           */
          from: number;
          /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
          reward:
            | {
                type: 'percent';
                /**
                 * Percent of the counted lines, up to four decimals.
                 * @example 10.5
                 */
                percent: number;
              }
            | {
                type: 'per-sale';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
            | {
                type: 'per-product';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
            | {
                type: 'per-lead';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              };
        }[];
      } | null)
    | undefined;
  /**
   * What the program pays for one transaction at most, in hundredths of its currency.
   * @example 500
   */
  capPerOrder?: (number | null) | undefined;
  /** What one collaborator may be awarded in a period at most. */
  capPerPeriod?:
    | ({
        /**
         * By the UTC calendar; a week begins on Monday.
         * @example month
         */
        period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      } | null)
    | undefined;
  /** Counts lines that match one of `include`, or all if there are none, and none of `exclude`. */
  lineFilter?:
    | ({
        /** Lines that count. */
        include?:
          | (
              | {
                  /**
                   * Lines with exactly this external id.
                   * @example sku-7
                   */
                  externalId?: (string | number | null) | undefined;
                  /**
                   * Lines with a name like this: `*` is any text; case does not matter.
                   * @example Gift*
                   */
                  name?: (string | null) | undefined;
                  /**
                   * Lines of this type.
                   */
                  type?: ('product' | 'shipping' | 'tax' | 'fee' | 'discount' | null) | undefined;
                }[]
              | null
            )
          | undefined;
        /** Lines that don’t, whatever includes them. */
        exclude?:
          | (
              | {
                  /**
                   * Lines with exactly this external id.
                   * @example sku-7
                   */
                  externalId?: (string | number | null) | undefined;
                  /**
                   * Lines with a name like this: `*` is any text; case does not matter.
                   * @example Gift*
                   */
                  name?: (string | null) | undefined;
                  /**
                   * Lines of this type.
                   */
                  type?: ('product' | 'shipping' | 'tax' | 'fee' | 'discount' | null) | undefined;
                }[]
              | null
            )
          | undefined;
      } | null)
    | undefined;
  /**
   * The total that a sale must have, in hundredths of the program’s currency.
   * @example 500
   */
  minimumOrder?: (number | null) | undefined;
  /** Rewards of single collaborators, which go before tiers and the program’s own. Each once. */
  collaboratorRewards?:
    | (
        | {
            /**
             * Whose reward it is.
             * @example 7
             */
            collaboratorId: number | string;
            /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
            reward:
              | {
                  type: 'percent';
                  /**
                   * Percent of the counted lines, up to four decimals.
                   * @example 10.5
                   */
                  percent: number;
                }
              | {
                  type: 'per-sale';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                }
              | {
                  type: 'per-product';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                }
              | {
                  type: 'per-lead';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                };
          }[]
        | null
      )
    | undefined;
  /** How long renewals of a sale are paid, where `pays` has them. Without it, always. */
  renewals?:
    | ({
        /**
         * So many months after the sale.
         * @example 12
         */
        months?: (number | string | null) | undefined;
        /**
         * So many renewals of a sale.
         * @example 12
         */
        times?: (number | string | null) | undefined;
      } | null)
    | undefined;
  /** What is held until a person has looked at it. What is absent is off. */
  holds?:
    | ({
        /**
         * More visits of one collaborator from one address in an hour, as browsers report them.
         * @example 20
         */
        visitsFromAddress?: (number | string | null) | undefined;
        /**
         * More visits of one collaborator in an hour.
         * @example 1000
         */
        visitsOfCollaborator?: (number | string | null) | undefined;
        /**
         * A coupon of a collaborator whose user id is, or was, the buyer’s.
         * @default false
         * @example true
         */
        ownCoupon?: (boolean | null) | undefined;
        /**
         * A sale or lead in less than so many seconds after the first touch, unless it came by a coupon alone.
         * @example 10
         */
        secondsToSale?: (number | string | null) | undefined;
      } | null)
    | undefined;
}
export interface CreateProgramGroupBody {
  /**
   * What it is called.
   * @example Partners or friends
   */
  name: string;
  /**
   * Whether the program with the newest or with the oldest engagement pays.
   */
  rule: 'newest' | 'oldest';
  /** All programs of the group, in any order. */
  programIds: (number | string)[];
}
export interface CreateWebhookBody {
  /**
   * Where to send: an https URL with a public address, without user or password. Required without `targetUrl`.
   * @example https://shop.example/whence
   */
  url?: (string | null) | undefined;
  /** The same as `url`, under the name that other implementations use. You can send it instead of `url`. */
  targetUrl?: (string | null) | undefined;
  /**
   * What it is for.
   * @example Accounting
   */
  description?: (string | null) | undefined;
  /**
   * Which messages to send. The default, `*`, means all built-in types, including types that are added later. Names from other implementations, such as `sale.created`, are sent only if they are listed.
   * @example [
   *       "payout.paid"
   *     ]
   */
  events?:
    | (
        | (
            | '*'
            | 'opportunity.created'
            | 'opportunity.merged'
            | 'engagement.created'
            | 'transaction.created'
            | 'transaction.refunded'
            | 'conversion.created'
            | 'conversion.approved'
            | 'conversion.rejected'
            | 'obligation.created'
            | 'obligation.pending'
            | 'obligation.fulfilled'
            | 'obligation.rejected'
            | 'fulfillment.created'
            | 'fulfillment.updated'
            | 'payout.created'
            | 'payout.paid'
            | 'payout.flagged'
            | 'payout.resolved'
            | 'collaborator.created'
            | 'collaborator.updated'
            | 'program.created'
            | 'program.updated'
            | 'webhook.paused'
            | 'sale.created'
            | 'refund.created'
            | 'lead.created'
            | 'renewal.created'
            | 'coupon.applied'
            | 'engagement.awarded'
            | 'engagement.completed'
            | 'conversion.renewed'
            | 'transaction.completed'
            | 'opportunity.invalidated'
            | 'collaborator.registered'
            | 'obligation.completed'
          )[]
        | null
      )
    | undefined;
}
export interface CreditTransactionBody {
  /**
   * Who gets it.
   * @example 7
   */
  collaboratorId: number | string;
  /**
   * By the rules of which program.
   * @example 5
   */
  programId: number | string;
  /**
   * How much, in hundredths of the transaction’s currency. For a currency without decimals, such as JPY, it must be a multiple of 100 (422 `not-payable`).
   * @example 500
   */
  amount?: (number | null) | undefined;
  /**
   * Whether the manual credits on this sale may exceed its total. Leads have no total.
   * @default false
   * @example false
   */
  aboveTotal?: (boolean | null) | undefined;
  /**
   * Why, for the record.
   * @example Used her code by phone
   */
  note?: (string | null) | undefined;
}
/** An event of your own, which programs may take for a trigger. */
export interface CustomEvent {
  /**
   * The custom event’s id.
   * @example 4
   */
  id: number;
  /**
   * What programs and reports call it.
   * @example quiz-done
   */
  slug: string;
  /**
   * What people call it.
   * @example Finished the quiz
   */
  name: string;
  /**
   * `active → deleted`.
   */
  status: 'active' | 'deleted';
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * Until when.
   * @example 2026-11-21T09:30:00.000Z
   */
  deletedAt: string | null;
}
/** A collaborator’s claim to credit for a visitor, in one program. */
export interface Engagement {
  /**
   * The engagement’s id.
   * @example 21
   */
  id: number;
  /**
   * The visitor.
   * @example 5214909912345678
   */
  opportunityId: number;
  /**
   * The program.
   * @example 5
   */
  programId: number;
  /**
   * Who has the claim.
   * @example 7
   */
  collaboratorId: number;
  /**
   * `active ⇄ complete`, `active → invalid`.
   */
  status: 'active' | 'complete' | 'invalid';
  /**
   * The points of its visits.
   * @example 3
   */
  score: number;
  /**
   * Its first touch.
   * @example 2026-11-21T09:30:00.000Z
   */
  firstAt: string;
  /**
   * Its last touch.
   * @example 2026-11-21T09:30:00.000Z
   */
  lastAt: string;
}
export interface EnrollCollaboratorBody {
  /**
   * The collaborator’s id.
   * @example 7
   */
  collaboratorId: number | string;
}
/** That a collaborator may earn in a program whose enrollment is `selected`. */
export interface Enrollment {
  /**
   * The program.
   * @example 5
   */
  programId: number;
  /**
   * Who may earn in it.
   * @example 7
   */
  collaboratorId: number;
  /**
   * Whether they still may.
   */
  status: 'enrolled' | 'removed';
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
}
export interface EraseCollaboratorBody {
  /**
   * The collaborator’s id.
   * @example 7
   */
  collaboratorId: number | string;
}
export interface EraseVisitorBody {
  /**
   * The visitor’s user id in your platform.
   * @example 42
   */
  userId: number | string;
}
/** What was reported. Never changed. */
export interface Event {
  /**
   * The event’s id. Among the events of one visitor, a higher id was reported later.
   * @example 11
   */
  id: number;
  /**
   * What was reported; `CreditGranted` is what a person decided.
   */
  type:
    | 'SiteVisited'
    | 'CouponApplied'
    | 'CustomTriggered'
    | 'SaleTriggered'
    | 'LeadTriggered'
    | 'RenewalTriggered'
    | 'RefundTriggered'
    | 'CreditGranted';
  /**
   * Where it was reported from.
   * @example shop
   */
  source?: string | undefined;
  /**
   * The slug, of a custom event.
   * @example newsletter-signup
   */
  event?: string | undefined;
  /**
   * The visitor, as it was reported. Null for an order without a referral.
   * @example 5214909912345678
   */
  opportunityId: number | null;
  /**
   * Whom a visit, a coupon or a custom event named.
   * @example 7
   */
  collaboratorId?: number | undefined;
  /**
   * The transaction, of a sale, a lead, a renewal, a refund or a credit.
   * @example 31
   */
  transactionId?: number | undefined;
  /**
   * `pending` until the pipeline has decided it; `parked` where that failed again and again.
   * @example done
   */
  state: 'done' | 'pending' | 'parked';
  /**
   * What went wrong the last time, of one that is not done.
   * @example connection lost
   */
  error?: string | undefined;
  /**
   * When it occurred: as the report says, or when it was reported.
   * @example 2026-11-21T09:30:00.000Z
   */
  occurredAt: string;
}
/** One claim that was considered, and what became of it. */
export interface ExampleCandidate {
  /**
   * Who was considered.
   * @example 7
   */
  collaboratorId: number;
  /**
   * Whether they earned.
   */
  outcome: 'won' | 'lost';
  /**
   * Why not, as a stable code; of one that won, that a cap has cut the share.
   * @example window-expired
   */
  reason?: string | undefined;
  /**
   * Its points at that time.
   * @example 3
   */
  score?: number | undefined;
  /**
   * The lines that count in this program. In hundredths of the major unit.
   * @example 4999
   */
  base?: number | undefined;
  /**
   * The pieces that count.
   * @example 1
   */
  quantity?: number | undefined;
  /**
   * Its part in the split.
   * @example 1
   */
  weight?: number | undefined;
  /**
   * Of its amounts, where it is another than the explanation’s: a lead has the program’s.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Whose reward applied: that of a tier, or the collaborator’s own. Absent: the program’s.
   */
  terms?: ('tier' | 'own') | undefined;
  /**
   * The tier that was reached: a sum in hundredths, or a number of conversions.
   * @example 10
   */
  tierFrom?: number | undefined;
  /** What counted for the tiers before this decision. */
  earnedForTier?:
    | {
        /**
         * Awarded in the period. In hundredths of the major unit.
         * @example 500
         */
        sum: number;
        /**
         * Conversions in the period.
         * @example 12
         */
        count: number;
      }
    | undefined;
  /**
   * What counted for the cap per period before this decision. In hundredths of the major unit.
   * @example 500
   */
  earnedForCap?: number | undefined;
  /**
   * What the program would pay without its cap per order. In hundredths of the major unit.
   * @example 500
   */
  uncapped?: number | undefined;
  /**
   * What the program pays in all: its shares and cuts add up to it. In hundredths of the major unit.
   * @example 500
   */
  reward?: number | undefined;
  /**
   * What the cap per period took off the share. In hundredths of the major unit.
   * @example 500
   */
  cut?: number | undefined;
  /**
   * What this candidate gets of it. In hundredths of the major unit.
   * @example 500
   */
  share?: number | undefined;
  /** That a person is to look at it before it is paid. */
  hold?:
    | {
        /**
         * Why.
         * @example [
         *       "quick-sale"
         *     ]
         */
        reasons: ('visits-from-address' | 'visits-of-collaborator' | 'own-coupon' | 'quick-sale')[];
        /**
         * Which visit of the collaborator from one address in an hour it was at most.
         * @example 24
         */
        nthFromAddress?: number | undefined;
        /**
         * Which visit of the collaborator in an hour it was at most.
         * @example 1024
         */
        nthOfCollaborator?: number | undefined;
      }
    | undefined;
  /**
   * The arithmetic in words, a step each.
   * @example [
   *       "10% of 49.99 USD = 5.00 USD"
   *     ]
   */
  steps?: string[] | undefined;
  /**
   * Why it is held, a sentence each.
   * @example [
   *       "it came sooner after the first touch than the program lets pass: 10 seconds"
   *     ]
   */
  holds?: string[] | undefined;
  /**
   * The reason as a sentence, with what makes it one of this case.
   * @example the last touch was longer ago than the program’s window: 30 days
   */
  why?: string | undefined;
  /**
   * What the collaborator is called.
   * @example Ada
   */
  name: string;
}
export interface ExampleProgramBody {
  /**
   * What it is called.
   * @example Friends
   */
  name: string;
  /**
   * What it is for.
   * @example Ten percent for friends
   */
  description?: (string | null) | undefined;
  /**
   * Only active ones pay.
   * @default active
   */
  status?: (('draft' | 'active' | 'inactive') | null) | undefined;
  /**
   * Of fixed amounts: they pay only for sales in it.
   * @default USD
   * @example USD
   */
  currency?: (string | null) | undefined;
  /**
   * Days of 24 hours after the last visit.
   * @default 30
   * @example 30
   */
  windowDays?: (number | string | null) | undefined;
  /**
   * Who gets the credit when several referred the visitor.
   * @default last-touch
   */
  attribution?: (('last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score') | null) | undefined;
  /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
  reward:
    | {
        type: 'percent';
        /**
         * Percent of the counted lines, up to four decimals.
         * @example 10.5
         */
        percent: number;
      }
    | {
        type: 'per-sale';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      }
    | {
        type: 'per-product';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      }
    | {
        type: 'per-lead';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      };
  /**
   * The kinds of lines that count.
   * @default [
   *       "product",
   *       "discount"
   *     ]
   */
  countedLines?: (('product' | 'shipping' | 'tax' | 'fee' | 'discount')[] | null) | undefined;
  /** Points that each trigger adds to the score: `site-visit`, `coupon-applied`, or the slug of a custom event. One that is absent is off. At most 100. */
  triggers?:
    | ({
        [key: string]: number | string | null;
      } | null)
    | undefined;
  /** The kinds of events that it pays for. Unless given: `lead` where the reward is per lead, else `sale`. */
  pays?: (('sale' | 'lead' | 'renewal')[] | null) | undefined;
  /**
   * Whether conversions are approved at once.
   * @default false
   */
  autoApprove?: (boolean | null) | undefined;
  /**
   * Or after so many days of 24 hours.
   * @example 14
   */
  approveAfterDays?: (number | string | null) | undefined;
  /**
   * Who may earn: everyone, or those who are enrolled.
   * @default everyone
   */
  enrollment?: (('everyone' | 'selected') | null) | undefined;
  /**
   * Whether every sale of a visitor earns, or the first alone.
   * @default sale
   */
  creditsPer?: (('sale' | 'opportunity') | null) | undefined;
  /**
   * The group of which only one program pays.
   * @example 3
   */
  groupId?: (number | string | null) | undefined;
  /** Other rewards for those who have earned enough in the period: of the steps that are reached the last. */
  tiers?:
    | ({
        /**
         * By the UTC calendar; a week begins on Monday.
         * @example month
         */
        period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
        /**
         * What counts: the sum awarded in the period, or the number of conversions.
         */
        by: 'sum' | 'count';
        /** From the lowest to the highest. */
        steps: {
          /**
           * Where it begins: a sum in hundredths, or a number. Each above the one before.
           * @example 10000
           */
          from: number;
          /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
          reward:
            | {
                type: 'percent';
                /**
                 * Percent of the counted lines, up to four decimals.
                 * @example 10.5
                 */
                percent: number;
              }
            | {
                type: 'per-sale';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
            | {
                type: 'per-product';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              }
            | {
                type: 'per-lead';
                /**
                 * In hundredths of the program’s currency, also if it has no decimals.
                 * @example 500
                 */
                amount: number;
              };
        }[];
      } | null)
    | undefined;
  /**
   * What the program pays for one transaction at most, in hundredths of its currency.
   * @example 500
   */
  capPerOrder?: (number | null) | undefined;
  /** What one collaborator may be awarded in a period at most. */
  capPerPeriod?:
    | ({
        /**
         * By the UTC calendar; a week begins on Monday.
         * @example month
         */
        period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
        /**
         * In hundredths of the program’s currency, also if it has no decimals.
         * @example 500
         */
        amount: number;
      } | null)
    | undefined;
  /** Counts lines that match one of `include`, or all if there are none, and none of `exclude`. */
  lineFilter?:
    | ({
        /** Lines that count. */
        include?:
          | (
              | {
                  /**
                   * Lines with exactly this external id.
                   * @example sku-7
                   */
                  externalId?: (string | number | null) | undefined;
                  /**
                   * Lines with a name like this: `*` is any text; case does not matter.
                   * @example Gift*
                   */
                  name?: (string | null) | undefined;
                  /**
                   * Lines of this type.
                   */
                  type?: ('product' | 'shipping' | 'tax' | 'fee' | 'discount' | null) | undefined;
                }[]
              | null
            )
          | undefined;
        /** Lines that don’t, whatever includes them. */
        exclude?:
          | (
              | {
                  /**
                   * Lines with exactly this external id.
                   * @example sku-7
                   */
                  externalId?: (string | number | null) | undefined;
                  /**
                   * Lines with a name like this: `*` is any text; case does not matter.
                   * @example Gift*
                   */
                  name?: (string | null) | undefined;
                  /**
                   * Lines of this type.
                   */
                  type?: ('product' | 'shipping' | 'tax' | 'fee' | 'discount' | null) | undefined;
                }[]
              | null
            )
          | undefined;
      } | null)
    | undefined;
  /**
   * The total that a sale must have, in hundredths of the program’s currency.
   * @example 500
   */
  minimumOrder?: (number | null) | undefined;
  /** Rewards of single collaborators, which go before tiers and the program’s own. Each once. */
  collaboratorRewards?:
    | (
        | {
            /**
             * Whose reward it is.
             * @example 7
             */
            collaboratorId: number | string;
            /** What is paid: a part of the sale, or an amount, once or for each piece or lead. */
            reward:
              | {
                  type: 'percent';
                  /**
                   * Percent of the counted lines, up to four decimals.
                   * @example 10.5
                   */
                  percent: number;
                }
              | {
                  type: 'per-sale';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                }
              | {
                  type: 'per-product';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                }
              | {
                  type: 'per-lead';
                  /**
                   * In hundredths of the program’s currency, also if it has no decimals.
                   * @example 500
                   */
                  amount: number;
                };
          }[]
        | null
      )
    | undefined;
  /** How long renewals of a sale are paid, where `pays` has them. Without it, always. */
  renewals?:
    | ({
        /**
         * So many months after the sale.
         * @example 12
         */
        months?: (number | string | null) | undefined;
        /**
         * So many renewals of a sale.
         * @example 12
         */
        times?: (number | string | null) | undefined;
      } | null)
    | undefined;
  /** What is held until a person has looked at it. What is absent is off. */
  holds?:
    | ({
        /**
         * More visits of one collaborator from one address in an hour, as browsers report them.
         * @example 20
         */
        visitsFromAddress?: (number | string | null) | undefined;
        /**
         * More visits of one collaborator in an hour.
         * @example 1000
         */
        visitsOfCollaborator?: (number | string | null) | undefined;
        /**
         * A coupon of a collaborator whose user id is, or was, the buyer’s.
         * @default false
         * @example true
         */
        ownCoupon?: (boolean | null) | undefined;
        /**
         * A sale or lead in less than so many seconds after the first touch, unless it came by a coupon alone.
         * @example 10
         */
        secondsToSale?: (number | string | null) | undefined;
      } | null)
    | undefined;
  /** The sale, lead or renewal. */
  sale?:
    | ({
        /**
         * Unless given, the first that the program pays for.
         */
        kind?: ('sale' | 'lead' | 'renewal' | null) | undefined;
        /**
         * In major units. Unless given, what the items add up to; without items 100.00.
         * @example 250
         */
        total?: (number | string | null) | undefined;
        /**
         * Unless given, the program’s.
         * @example USD
         */
        currency?: (string | null) | undefined;
        /** The lines of the order. Without lines, the total is one line named `Order`. */
        items?:
          | (
              | {
                  /**
                   * The product’s id in your system.
                   * @example sku-7
                   */
                  externalId?: (string | number | null) | undefined;
                  /**
                   * The line’s name. A name of more than 255 characters is cut.
                   * @example Blue mug
                   */
                  name: string;
                  /**
                   * How many.
                   * @default 1
                   * @example 2
                   */
                  quantity?: (number | string | null) | undefined;
                  /**
                   * The unit price in major units; negative for a discount. Send `amount`, `amountMinor` or `total`.
                   * @example 19.99
                   */
                  amount?: (number | string | null) | undefined;
                  /**
                   * Instead of `amount`: the unit price in the smallest unit of the currency (ISO 4217).
                   * @example 1999
                   */
                  amountMinor?: (number | null) | undefined;
                  /**
                   * Instead of `amount`: the price of the whole line, in major units.
                   * @example 39.98
                   */
                  total?: (number | string | null) | undefined;
                  /**
                   * What kind of line it is; a program says which it counts.
                   * @default product
                   */
                  type?: (('product' | 'shipping' | 'tax' | 'fee' | 'discount') | null) | undefined;
                }[]
              | null
            )
          | undefined;
        /**
         * Of a renewal: which one of its sale it is.
         * @default 1
         * @example 3
         */
        renewalNumber?: (number | string | null) | undefined;
        /**
         * Of a renewal: how long after the sale. Unless given, so many months as its number.
         * @example 3
         */
        monthsAfterSale?: (number | string | null) | undefined;
      } | null)
    | undefined;
  /** Who referred the buyer. Unless given, one collaborator on the day before; `[]` is nobody. */
  touches?:
    | (
        | {
            /**
             * What to call who referred the buyer. Of a `collaboratorId` it is known.
             * @example Ada
             */
            collaborator?: (string | null) | undefined;
            /**
             * One of yours, whose own reward applies.
             * @example 7
             */
            collaboratorId?: (number | string | null) | undefined;
            /**
             * What they did. Unless given, a visit where the program counts visits, else its first trigger.
             * @example coupon-applied
             */
            trigger?: (string | null) | undefined;
            /**
             * Days of 24 hours before the sale.
             * @default 1
             * @example 3
             */
            daysBefore?: (number | string | null) | undefined;
            /**
             * Whether they are enrolled in the program.
             * @default true
             */
            enrolled?: (boolean | null) | undefined;
            /**
             * Whether it is their own purchase.
             * @default false
             */
            buyer?: (boolean | null) | undefined;
            /**
             * What they had been awarded in the period before, for tiers and caps, in hundredths of the major unit.
             * @default 0
             * @example 40000
             */
            earnedBefore?: (number | null) | undefined;
            /**
             * And by how many conversions.
             * @default 0
             * @example 12
             */
            conversionsBefore?: (number | string | null) | undefined;
          }[]
        | null
      )
    | undefined;
}
/** What was awarded, and what it is worth now. */
export interface ExplainedConversion {
  /**
   * The conversion.
   * @example 41
   */
  id: number;
  /**
   * What was paid for; `manual` is a credit by hand.
   */
  type: 'sale' | 'lead' | 'renewal' | 'manual';
  /**
   * Who earned.
   * @example 7
   */
  collaboratorId: number;
  /**
   * The program.
   * @example 5
   */
  programId: number;
  /**
   * The version that decided.
   * @example 1
   */
  programVersion: number;
  /**
   * What was decided. In hundredths of the major unit.
   * @example 500
   */
  awarded: number;
  /**
   * What it is worth now. Of a rejected one nothing is owed. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * `pending → approved`, either `→ rejected`.
   */
  status: 'pending' | 'approved' | 'rejected';
  /**
   * Of one that was held: whether it still is.
   */
  review?: ('held' | 'resolved') | undefined;
  /**
   * When it was decided.
   * @example 2026-11-21T09:30:00.000Z
   */
  awardedAt: string;
  /**
   * Why it was rejected.
   * @example refunded
   */
  reason?: string | undefined;
  /**
   * Of a credit by hand: the key that gave it.
   * @example key 3
   */
  author?: string | undefined;
  /**
   * Of a credit by hand: why.
   * @example Ordered by phone
   */
  note?: string | undefined;
  candidate?: Candidate | undefined;
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  collaboratorName?: string | undefined;
  /**
   * What the program was called then.
   * @example Friends
   */
  programName?: string | undefined;
  /**
   * The arithmetic in words, a step each.
   * @example [
   *       "10% of 49.99 USD = 5.00 USD"
   *     ]
   */
  steps?: string[] | undefined;
}
/** A refund of the transaction. */
export interface ExplainedRefund {
  /**
   * When it was reported.
   * @example 2026-11-21T09:30:00.000Z
   */
  at: string;
  /**
   * All that was left, an amount, or items.
   */
  kind: 'full' | 'amount' | 'items';
  /**
   * What was given back. In hundredths of the major unit.
   * @example 2000
   */
  amount: number;
  /**
   * Its id in your system.
   * @example refund-1
   */
  refundId?: string | undefined;
}
/**
 * Who earned what with a sale, lead or renewal, who did not, why, and what has become of it.
 * @example {
 *       "transactionId": 31,
 *       "kind": "sale",
 *       "decidedAt": "2026-11-21T09:42:00.100Z",
 *       "base": 4999,
 *       "currency": "USD",
 *       "candidates": [
 *         {
 *           "collaboratorId": 7,
 *           "outcome": "won",
 *           "programId": 5,
 *           "programVersion": 1,
 *           "engagementId": 21,
 *           "score": 1,
 *           "firstAt": "2026-11-21T09:30:00.000Z",
 *           "lastAt": "2026-11-21T09:30:00.000Z",
 *           "base": 4999,
 *           "weight": 1,
 *           "reward": 500,
 *           "share": 500,
 *           "collaboratorName": "Ada Lovelace",
 *           "programName": "Friends",
 *           "steps": [
 *             "10% of 49.99 USD = 5.00 USD"
 *           ]
 *         },
 *         {
 *           "collaboratorId": 8,
 *           "outcome": "lost",
 *           "reason": "lost-to-newer",
 *           "programId": 5,
 *           "programVersion": 1,
 *           "engagementId": 20,
 *           "score": 1,
 *           "firstAt": "2026-11-18T19:20:00.000Z",
 *           "lastAt": "2026-11-18T19:20:00.000Z",
 *           "collaboratorName": "Bo",
 *           "programName": "Friends",
 *           "why": "a newer touch gets the credit: that of Ada Lovelace (collaborator 7)"
 *         }
 *       ],
 *       "omitted": 0,
 *       "conversions": [
 *         {
 *           "id": 41,
 *           "type": "sale",
 *           "collaboratorId": 7,
 *           "programId": 5,
 *           "programVersion": 1,
 *           "awarded": 500,
 *           "amount": 500,
 *           "currency": "USD",
 *           "status": "approved",
 *           "awardedAt": "2026-11-21T09:42:00.100Z",
 *           "collaboratorName": "Ada Lovelace",
 *           "programName": "Friends"
 *         }
 *       ],
 *       "refunds": [],
 *       "text": "Sale “order-1001” from “shop” (transaction 31) on 2026-11-21 09:42:00 UTC: total 49.99 USD, products and discounts 49.99 USD. 1 collaborator earned.\nAda Lovelace (collaborator 7) earned 5.00 USD in “Friends” (program 5, version 1): 10% of 49.99 USD = 5.00 USD. Touches on 2026-11-21 09:30:00 UTC, score 1.\nBo (collaborator 8) earned nothing in “Friends” (program 5, version 1): a newer touch gets the credit (lost-to-newer): that of Ada Lovelace (collaborator 7). Touches on 2026-11-18 19:20:00 UTC, score 1.\nConversion 41 of Ada Lovelace (collaborator 7) in “Friends” (program 5, version 1): 5.00 USD awarded, approved."
 *     }
 */
export interface Explanation {
  /**
   * The sale, lead or renewal.
   * @example 31
   */
  transactionId: number;
  /**
   * What was decided.
   */
  kind: 'sale' | 'lead' | 'renewal';
  /**
   * Of a renewal: the sale.
   * @example 31
   */
  renewsTransactionId?: number | undefined;
  /**
   * Of a renewal: which one of that sale it is.
   * @example 3
   */
  renewalNumber?: number | undefined;
  /**
   * When it was decided.
   * @example 2026-11-21T09:30:00.000Z
   */
  decidedAt: string;
  /**
   * Its products and discounts; 0 for a lead. In hundredths of the major unit.
   * @example 4999
   */
  base: number;
  /**
   * ISO 4217; `XXX` for a lead, which has none.
   * @example USD
   */
  currency: string;
  /**
   * Why it as a whole earned nobody anything.
   * @example no-engagement
   */
  reason?: string | undefined;
  /**
   * That reason as a sentence.
   * @example no touch of a collaborator led to it
   */
  why?: string | undefined;
  /** At most 200. */
  candidates: Candidate[];
  /**
   * Candidates that are not listed.
   * @example 0
   */
  omitted: number;
  /** What was awarded, as it is now. At most 200. */
  conversions: ExplainedConversion[];
  /** What was given back since. At most 200. */
  refunds: ExplainedRefund[];
  /**
   * All of it in words, a line each.
   * @example Ann (collaborator 7) earned 5.00 USD …
   */
  text: string;
}
export interface ExportPayoutsBody {
  /**
   * Payouts of this run.
   * @example 71
   */
  fulfillmentId?: (number | string | null) | undefined;
  /**
   * Payouts in this state.
   */
  status?: ('unpaid' | 'paid' | 'void' | null) | undefined;
  /**
   * Payouts in this currency.
   * @example USD
   */
  currency?: (string | null) | undefined;
}
export interface ExportVisitorBody {
  /**
   * The visitor’s user id in your platform.
   * @example 42
   */
  userId: number | string;
}
/** One fault of a request. */
export interface Fault {
  /**
   * RFC 6901 pointer into the body, or `/name` of a parameter.
   * @example /items/0/name
   */
  pointer: string;
  /**
   * Stable.
   * @example required
   */
  code: string;
  /**
   * In words.
   * @example This field is required.
   */
  detail: string;
}
/** Figures in one currency. */
export interface FigureAmounts {
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * The totals of sales and renewals. In hundredths of the major unit.
   * @example 4999
   */
  revenue: number;
  /**
   * What went back, on the day on which it did. In hundredths of the major unit.
   * @example 0
   */
  refunded: number;
  /**
   * What was awarded, less what was rejected, reduced or clawed back, each on the day of its entry in the ledger. In hundredths of the major unit.
   * @example 500
   */
  earned: number;
}
/** Figures of what has no row of its own. */
export interface FigureCounts {
  /**
   * How many rows are added up in it.
   * @example 17
   */
  rows: number;
  /**
   * Referred visits; null by source. By program those that touched it: one visit may touch several.
   * @example 120
   */
  visits: number | null;
  /**
   * Sales, by the time of their report.
   * @example 6
   */
  sales: number;
  /**
   * Renewals, likewise.
   * @example 0
   */
  renewals: number;
  /**
   * Leads, likewise.
   * @example 0
   */
  leads: number;
  /**
   * Conversions that were made, whatever became of them.
   * @example 6
   */
  conversions: number;
  /** For each currency that has any, by currency. */
  amounts: FigureAmounts[];
}
/** Figures of one day, collaborator, program, source or link, or of all. */
export interface FigureRow {
  /**
   * By day: which one.
   * @example 2026-09-01
   */
  day?: string | undefined;
  /**
   * By collaborator or link: whose.
   * @example 7
   */
  collaboratorId?: number | undefined;
  /**
   * Their name.
   * @example Ada
   */
  collaboratorName?: string | undefined;
  /**
   * By program: which one.
   * @example 3
   */
  programId?: number | undefined;
  /**
   * Its name.
   * @example Ten percent
   */
  programName?: string | undefined;
  /**
   * By source: which one.
   * @example shop
   */
  source?: string | undefined;
  /**
   * By link: the alias; null: by none.
   * @example 11
   */
  linkId?: (number | null) | undefined;
  /**
   * Its code.
   * @example ada
   */
  code?: (string | null) | undefined;
  /**
   * Referred visits; null by source. By program those that touched it: one visit may touch several.
   * @example 120
   */
  visits: number | null;
  /**
   * Sales, by the time of their report.
   * @example 6
   */
  sales: number;
  /**
   * Renewals, likewise.
   * @example 0
   */
  renewals: number;
  /**
   * Leads, likewise.
   * @example 0
   */
  leads: number;
  /**
   * Conversions that were made, whatever became of them.
   * @example 6
   */
  conversions: number;
  /** For each currency that has any, by currency. */
  amounts: FigureAmounts[];
}
/** What came of referred visits in a span of days. */
export interface Figures {
  /**
   * The first day.
   * @example 2026-09-01
   */
  from: string;
  /**
   * The day after the last one.
   * @example 2026-10-01
   */
  until: string;
  /**
   * What the rows are.
   * @example day
   */
  by: 'day' | 'collaborator' | 'program' | 'source' | 'link' | 'total';
  /**
   * What was reported up to this moment is in it.
   * @example 2026-11-21T09:30:00.000Z
   */
  computedAt: string;
  /** Days in their order; else the highest of what `highest` names first, amounts in `currency` or the one in which most is sold. */
  rows: FigureRow[];
  rest: FigureCounts | null;
}
/** A payout run, in one currency. */
export interface Fulfillment {
  /**
   * The run’s id.
   * @example 71
   */
  id: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * `pending → processing → complete`, or `failed` as long as nothing of it is paid.
   */
  status: 'pending' | 'processing' | 'complete' | 'failed';
  /**
   * What its payouts add up to. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * How many payouts it has, void ones too.
   * @example 12
   */
  payouts: number;
  /**
   * Who was owed less got nothing from it. In hundredths of the major unit.
   * @example 500
   */
  minimum: number | null;
  /**
   * Whose call made it.
   * @example key 3
   */
  author: string;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** What a payout run in one currency would be. */
export interface FulfillmentPreview {
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * What the payouts add up to. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /** None: there would be no run in this currency. */
  payouts: {
    /**
     * Whom it would pay.
     * @example 7
     */
    collaboratorId: number;
    /**
     * How much. In hundredths of the major unit.
     * @example 500
     */
    amount: number;
    /**
     * What it would take, by id.
     * @example [
     *       51,
     *       52
     *     ]
     */
    obligationIds: number[];
  }[];
  /** What stays pending for a later run. */
  carriedForward: {
    /**
     * Who would get nothing.
     * @example 8
     */
    collaboratorId: number;
    /**
     * What stays pending; 0 or less where nothing is owed. In hundredths of the major unit.
     * @example 500
     */
    amount: number;
    /**
     * `nothing-owed`: claw-backs take it all. `below-minimum`: under the run’s minimum. `over-limit`: the run would exceed 2^53−1; make another for what is left.
     */
    reason: 'nothing-owed' | 'below-minimum' | 'over-limit';
  }[];
}
/** Somebody who may become one of the people. */
export interface Invitation {
  /**
   * The invitation’s id.
   * @example 8
   */
  id: number;
  /**
   * Who is invited; null in the link that makes the first owner.
   * @example grace@example.com
   */
  email: string | null;
  /**
   * What they will be allowed to do.
   * @example manager
   */
  role: 'owner' | 'manager' | 'viewer';
  /**
   * Whether its link still holds.
   * @example open
   */
  status: 'open' | 'accepted' | 'revoked' | 'expired';
  /**
   * Who invited them, as the audit has it.
   * @example person 5
   */
  invitedBy: string;
  /**
   * When it was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * Until when its link holds.
   * @example 2026-11-21T09:30:00.000Z
   */
  expiresAt: string;
  /**
   * When it was accepted.
   * @example 2026-11-21T09:30:00.000Z
   */
  acceptedAt: string | null;
}
/** What somebody is invited to. */
export interface InvitationPreview {
  /**
   * Who invites.
   * @example Ada’s Mugs
   */
  organization: string;
  /**
   * Who is invited; null in the link that makes the first owner.
   * @example grace@example.com
   */
  email: string | null;
  /**
   * What they will be allowed to do.
   * @example manager
   */
  role: 'owner' | 'manager' | 'viewer';
}
/** What a visitor did, from the first visit to the last refund. */
export interface Journey {
  /**
   * The survivor.
   * @example 5214909912345678
   */
  opportunityId: number;
  /**
   * The survivor and all that were merged into it, oldest first.
   * @example [
   *       5214909912345678
   *     ]
   */
  memberIds: number[];
  /**
   * What happened, in order.
   * @example [
   *       {
   *         "kind": "visit",
   *         "at": "2026-11-21T09:30:00.000Z",
   *         "opportunityId": 5214909912345678,
   *         "collaboratorId": 7,
   *         "eventId": 11,
   *         "alias": "tracking:ada"
   *       },
   *       {
   *         "kind": "engagement",
   *         "at": "2026-11-21T09:30:00.000Z",
   *         "opportunityId": 5214909912345678,
   *         "collaboratorId": 7,
   *         "engagementId": 21,
   *         "programId": 5,
   *         "status": "complete",
   *         "score": 1,
   *         "lastAt": "2026-11-21T09:30:00.000Z"
   *       },
   *       {
   *         "kind": "sale",
   *         "at": "2026-11-21T09:42:00.000Z",
   *         "transactionId": 31,
   *         "opportunityId": 5214909912345678,
   *         "source": "shop",
   *         "externalId": "order-1001",
   *         "status": "complete",
   *         "total": 4999,
   *         "currency": "USD"
   *       }
   *     ]
   */
  steps: (
    | {
        kind: 'visit';
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string;
        /**
         * The event.
         * @example 11
         */
        eventId: number;
        /**
         * The member that it is of.
         * @example 5214909912345678
         */
        opportunityId: number;
        /**
         * Who referred the visitor.
         * @example 7
         */
        collaboratorId: number;
        /**
         * The alias that it came by.
         * @example tracking:ada
         */
        alias?: string | undefined;
        /**
         * The visitor’s user id, as known then.
         * @example 42
         */
        userId?: (number | string) | undefined;
        /**
         * Why it made no engagement.
         * @example self-referral
         */
        reason?: string | undefined;
      }
    | {
        kind: 'coupon';
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string;
        /**
         * The event.
         * @example 11
         */
        eventId: number;
        /**
         * The member that it is of.
         * @example 5214909912345678
         */
        opportunityId: number;
        /**
         * Who referred the visitor.
         * @example 7
         */
        collaboratorId: number;
        /**
         * The alias that it came by.
         * @example tracking:ada
         */
        alias?: string | undefined;
        /**
         * The visitor’s user id, as known then.
         * @example 42
         */
        userId?: (number | string) | undefined;
        /**
         * Why it made no engagement.
         * @example self-referral
         */
        reason?: string | undefined;
      }
    | {
        kind: 'custom';
        /**
         * The slug of the custom event.
         * @example newsletter-signup
         */
        event: string;
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string;
        /**
         * The event.
         * @example 11
         */
        eventId: number;
        /**
         * The member that it is of.
         * @example 5214909912345678
         */
        opportunityId: number;
        /**
         * Who referred the visitor.
         * @example 7
         */
        collaboratorId: number;
        /**
         * The alias that it came by.
         * @example tracking:ada
         */
        alias?: string | undefined;
        /**
         * The visitor’s user id, as known then.
         * @example 42
         */
        userId?: (number | string) | undefined;
        /**
         * Why it made no engagement.
         * @example self-referral
         */
        reason?: string | undefined;
      }
    | {
        kind: 'engagement';
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string;
        /**
         * The engagement that began here.
         * @example 21
         */
        engagementId: number;
        /**
         * The member that it belongs to.
         * @example 5214909912345678
         */
        opportunityId: number;
        /**
         * The program.
         * @example 5
         */
        programId: number;
        /**
         * Who has the claim.
         * @example 7
         */
        collaboratorId: number;
        /**
         * What it is now.
         */
        status: 'active' | 'complete' | 'invalid';
        /**
         * Its points now.
         * @example 3
         */
        score: number;
        /**
         * Its last touch.
         * @example 2026-11-21T09:30:00.000Z
         */
        lastAt: string;
      }
    | {
        kind: 'merge';
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string | null;
        /**
         * The one that was merged.
         * @example 5214909912345678
         */
        opportunityId: number;
        /**
         * Its survivor.
         * @example 5214909912345678
         */
        mergedInto: number;
      }
    | {
        kind: 'sale';
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string;
        /**
         * The transaction.
         * @example 31
         */
        transactionId: number;
        /**
         * The member that it was reported for.
         * @example 5214909912345678
         */
        opportunityId: number;
        /**
         * Where it was reported from.
         * @example shop
         */
        source: string;
        /**
         * The order there.
         * @example order-1001
         */
        externalId: string;
        /**
         * What it is now.
         */
        status: 'complete' | 'refunded' | 'cancelled';
        /**
         * The order’s total. In hundredths of the major unit.
         * @example 4999
         */
        total: number;
        /**
         * ISO 4217.
         * @example USD
         */
        currency: string;
      }
    | {
        kind: 'renewal';
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string;
        /**
         * The transaction.
         * @example 31
         */
        transactionId: number;
        /**
         * The member that it was reported for.
         * @example 5214909912345678
         */
        opportunityId: number;
        /**
         * Where it was reported from.
         * @example shop
         */
        source: string;
        /**
         * The order there.
         * @example order-1001
         */
        externalId: string;
        /**
         * What it is now.
         */
        status: 'complete' | 'refunded' | 'cancelled';
        /**
         * The order’s total. In hundredths of the major unit.
         * @example 4999
         */
        total: number;
        /**
         * ISO 4217.
         * @example USD
         */
        currency: string;
        /**
         * The sale.
         * @example 30
         */
        renewsTransactionId: number;
      }
    | {
        kind: 'lead';
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string;
        /**
         * The transaction.
         * @example 31
         */
        transactionId: number;
        /**
         * The member that it was reported for.
         * @example 5214909912345678
         */
        opportunityId: number;
        /**
         * Where it was reported from.
         * @example shop
         */
        source: string;
        /**
         * The order there.
         * @example order-1001
         */
        externalId: string;
        /**
         * What it is now.
         */
        status: 'complete' | 'refunded' | 'cancelled';
      }
    | {
        kind: 'refund';
        /**
         * When.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string;
        /**
         * The transaction.
         * @example 31
         */
        transactionId: number;
        /**
         * Where the order was reported from.
         * @example shop
         */
        source: string;
        /**
         * The order there.
         * @example order-1001
         */
        externalId: string;
        /**
         * What this refund gave back. In hundredths of the major unit.
         * @example 4999
         */
        refundedAmount: number;
        /**
         * ISO 4217.
         * @example USD
         */
        currency: string;
      }
  )[];
  /**
   * Older visits and signals that are not listed.
   * @example 0
   */
  omitted: number;
}
/** A movement of money from one account of a collaborator to another. Never changed, never removed. */
export interface LedgerEntry {
  /**
   * The entry’s id.
   * @example 101
   */
  id: number;
  /**
   * `award` (earned), `approve` (payable now), `reject`, `reduce` (a refund), `fulfil` (into a payout), `release` (out of one that became void), `pay`, `unpay`, `claw-back` (taken back of what was in a payout).
   * @example approve
   */
  kind: 'award' | 'approve' | 'reject' | 'reduce' | 'fulfil' | 'release' | 'pay' | 'unpay' | 'claw-back';
  /**
   * Whose money it is.
   * @example 7
   */
  collaboratorId: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * How much is moved; above 0. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * The account that has so much less.
   * @example draft
   */
  debit: 'expense' | 'draft' | 'pending' | 'in-payout' | 'paid';
  /**
   * The account that has so much more.
   * @example pending
   */
  credit: 'expense' | 'draft' | 'pending' | 'in-payout' | 'paid';
  /**
   * What is owed.
   * @example 51
   */
  obligationId: number | null;
  /**
   * The payout that it is in, comes into or leaves.
   * @example 61
   */
  payoutId: number | null;
  /**
   * What it is owed for.
   * @example 41
   */
  conversionId: number | null;
  /**
   * The sale, lead or renewal.
   * @example 31
   */
  transactionId: number | null;
  /**
   * When, to the microsecond: entries of one change share it.
   * @example 2026-11-21T09:30:00.123456Z
   */
  occurredAt: string;
}
/** What a line is matched by. */
export type LineMatcher =
  | {
      /** Exactly this external id. */
      externalId: string;
    }
  | {
      /**
       * A name like this.
       * @example Gift*
       */
      name: string;
    }
  | {
      /**
       * This type.
       */
      type: 'product' | 'shipping' | 'tax' | 'fee' | 'discount';
    };
/** What one collaborator has in one currency. */
export interface ListedBalance {
  /**
   * Of this row: the same for a collaborator in a currency.
   * @example 137104
   */
  id: number;
  /**
   * Whose balance it is.
   * @example 7
   */
  collaboratorId: number;
  /**
   * Their name.
   * @example Ada
   */
  collaboratorName: string;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * What is payable and not paid yet: `pending` and `inPayout`. In hundredths of the major unit.
   * @example 500
   */
  balance: number;
  /**
   * Earned, and not approved yet. In hundredths of the major unit.
   * @example 0
   */
  draft: number;
  /**
   * Waits for a run of payouts; claw-backs count negative. In hundredths of the major unit.
   * @example 500
   */
  pending: number;
  /**
   * In a payout that is not paid. In hundredths of the major unit.
   * @example 0
   */
  inPayout: number;
  /**
   * Paid so far. In hundredths of the major unit.
   * @example 0
   */
  paid: number;
}
export interface MarkPayoutsBody {
  /**
   * What to do with each.
   */
  action: 'mark-paid' | 'mark-unpaid';
  /** Which; one that comes twice counts once. */
  ids: (number | string)[];
}
export interface MoveAliasBody {
  /**
   * The present owner.
   * @example 7
   */
  fromCollaboratorId: number | string;
  /**
   * The new owner.
   * @example 8
   */
  toCollaboratorId: number | string;
}
export interface MoveCollaboratorsBody {
  /**
   * What to do with them.
   */
  action: 'activate' | 'deactivate' | 'reject';
  /** Which; one that comes twice counts once. */
  ids: (number | string)[];
}
/** A key that was just made, with its secret part. */
export interface NewApiKey {
  /**
   * The key’s id.
   * @example 3
   */
  id: number;
  /**
   * Secret keys are for servers; publishable ones may only report visits.
   */
  kind: 'secret' | 'publishable';
  /**
   * Whether it works: `active`, `revoked`, or `expired` once `expiresAt` has passed.
   */
  status: 'active' | 'revoked' | 'expired';
  /**
   * What it is for.
   * @example Checkout
   */
  label: string;
  /**
   * How the key begins, to tell it from others.
   * @example sk_live_a1B2
   */
  keyPrefix: string;
  /** What it may do. */
  scopes: ('events:write' | 'resources:read' | 'resources:write' | 'keys:write' | 'people:write')[];
  /**
   * Where browsers may use it; empty: anywhere.
   * @example []
   */
  origins: string[];
  /**
   * When it was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it ends by itself.
   * @example 2026-11-21T09:30:00.000Z
   */
  expiresAt: string | null;
  /**
   * When it was revoked.
   * @example 2026-11-21T09:30:00.000Z
   */
  revokedAt: string | null;
  /**
   * The key that took over, when it was rotated.
   * @example 4
   */
  replacedBy: number | null;
  /**
   * When it was last used, to the minute.
   * @example 2026-11-21T09:30:00.000Z
   */
  lastUsedAt: string | null;
  /**
   * The key itself. It is shown this once, and stored nowhere.
   * @example sk_live_…
   */
  rawKey: string;
}
/** An invitation that was just made, with its link. */
export interface NewInvitation {
  /**
   * The invitation’s id.
   * @example 8
   */
  id: number;
  /**
   * Who is invited; null in the link that makes the first owner.
   * @example grace@example.com
   */
  email: string | null;
  /**
   * What they will be allowed to do.
   * @example manager
   */
  role: 'owner' | 'manager' | 'viewer';
  /**
   * Whether its link still holds.
   * @example open
   */
  status: 'open' | 'accepted' | 'revoked' | 'expired';
  /**
   * Who invited them, as the audit has it.
   * @example person 5
   */
  invitedBy: string;
  /**
   * When it was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * Until when its link holds.
   * @example 2026-11-21T09:30:00.000Z
   */
  expiresAt: string;
  /**
   * When it was accepted.
   * @example 2026-11-21T09:30:00.000Z
   */
  acceptedAt: string | null;
  /**
   * The link. It is shown this once; the mail has it as well.
   * @example https://whence.example.com/console/invitation#q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o
   */
  url: string;
}
/** A link that was just made: nobody has come by it yet. */
export interface NewPortalLink {
  /**
   * The link’s id.
   * @example 9
   */
  id: number;
  /**
   * A link, or a code that is given at the till.
   */
  type: 'link' | 'coupon';
  /**
   * The code in it.
   * @example ada.newsletter
   */
  code: string;
  /**
   * What the collaborator calls it by, such as a newsletter: letters, digits, `_` and `-`.
   * @example newsletter
   */
  subId: string | null;
  /**
   * Where it is; of a coupon null.
   * @example https://shop.example/?ref=ada.newsletter
   */
  url: string | null;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
}
/** Money owed for a conversion. */
export interface Obligation {
  /**
   * The obligation’s id.
   * @example 51
   */
  id: number;
  /**
   * What it is owed for.
   * @example 41
   */
  conversionId: number;
  /**
   * Whom it is owed to.
   * @example 7
   */
  collaboratorId: number;
  /**
   * The payout that it is in.
   * @example 61
   */
  payoutId: number | null;
  /**
   * How much; negative for a claw-back. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * `draft → pending ⇄ fulfilled`; `draft, pending → rejected`. Draft money is never payable.
   * @example pending
   */
  status: 'draft' | 'pending' | 'fulfilled' | 'rejected';
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
export interface OpenPortalSessionBody {
  /** The link’s token. */
  token?: (string | null) | undefined;
  /**
   * Or the address that the mail went to,
   * @example ada@example.com
   */
  email?: (string | null) | undefined;
  /**
   * with the code that stands in it.
   * @example K7Q-M2X
   */
  code?: (string | null) | undefined;
}
export interface OpenPortalSessionByPasskeyBody {
  /** What `navigator.credentials.get` has answered, as WebAuthn’s JSON. */
  response: {
    /**
     * The credential’s id, as base64url.
     * @example mJ5vQ0Xk3o9cYb1oQ2Zr7A
     */
    id: string;
    /**
     * The same.
     * @example mJ5vQ0Xk3o9cYb1oQ2Zr7A
     */
    rawId: string;
    /**
     * What kind of credential it is.
     */
    type: 'public-key';
    response: {
      /**
       * What the browser has signed, as base64url.
       * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0
       */
      clientDataJSON: string;
      /**
       * What the authenticator says, as base64url.
       * @example SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ
       */
      authenticatorData: string;
      /**
       * Its signature, as base64url.
       * @example MEUCIQDx
       */
      signature: string;
      /**
       * Whose it is, as base64url.
       * @example c2V2ZW4gcXVpZXQgaGVyb25z
       */
      userHandle?: (string | null) | undefined;
    };
  };
}
export interface OpenSessionBody {
  /**
   * The address that they log in with.
   * @example ada@example.com
   */
  email: string;
  /**
   * The password.
   * @example seven quiet herons
   */
  password: string;
  /**
   * Six digits of the app, or a recovery code.
   * @example 492039
   */
  code?: (string | null) | undefined;
}
export interface OpenSessionByPasskeyBody {
  /** What `navigator.credentials.get` has answered, as WebAuthn’s JSON. */
  response: {
    /**
     * The credential’s id, as base64url.
     * @example mJ5vQ0Xk3o9cYb1oQ2Zr7A
     */
    id: string;
    /**
     * The same.
     * @example mJ5vQ0Xk3o9cYb1oQ2Zr7A
     */
    rawId: string;
    /**
     * What kind of credential it is.
     */
    type: 'public-key';
    response: {
      /**
       * What the browser has signed, as base64url.
       * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0
       */
      clientDataJSON: string;
      /**
       * What the authenticator says, as base64url.
       * @example SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ
       */
      authenticatorData: string;
      /**
       * Its signature, as base64url.
       * @example MEUCIQDx
       */
      signature: string;
      /**
       * Whose it is, as base64url.
       * @example c2V2ZW4gcXVpZXQgaGVyb25z
       */
      userHandle?: (string | null) | undefined;
    };
  };
}
/** A referred visitor. */
export interface Opportunity {
  /**
   * Its number. Neither guessable nor in order.
   * @example 5214909912345678
   */
  id: number;
  /**
   * `active → invalid`, `active → merged`.
   */
  status: 'active' | 'merged' | 'invalid';
  /**
   * The visitor’s user id in your platform.
   * @example 42
   */
  userId: (number | string) | null;
  /**
   * The survivor, for a merged one: every operation takes either number.
   * @example 5214909912345678
   */
  mergedInto: number | null;
  /**
   * When the first visit was.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * Since when it is invalid.
   * @example 2026-11-21T09:30:00.000Z
   */
  invalidatedAt: string | null;
}
/** The merchant. Owns everything that its keys can see. */
export interface Organization {
  /**
   * The organization that the key belongs to.
   * @example 1
   */
  id: number;
  /**
   * What it is called.
   * @example Ada’s Mugs
   */
  name: string;
  /**
   * The three event operations need `essentials`.
   * @example essentials
   */
  tier: 'lite' | 'essentials';
  /** Whether its data are made up, by `npm run demo`. */
  demo: boolean;
  /**
   * When it was founded.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** The balances of all collaborators together, in one currency. */
export interface Owed {
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * Earned, and not approved yet. In hundredths of the major unit.
   * @example 0
   */
  draft: number;
  /**
   * Waits for a run of payouts; claw-backs count negative. In hundredths of the major unit.
   * @example 500
   */
  pending: number;
  /**
   * In a payout that is not paid. In hundredths of the major unit.
   * @example 0
   */
  inPayout: number;
  /**
   * Paid so far. In hundredths of the major unit.
   * @example 0
   */
  paid: number;
}
/** A browser that is logged in. */
export interface OwnSession {
  /**
   * The session’s id.
   * @example 12
   */
  id: number;
  /**
   * When it began.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last used, to the minute.
   * @example 2026-11-21T09:30:00.000Z
   */
  lastSeenAt: string;
  /**
   * When it ends, if it is used until then.
   * @example 2026-11-21T09:30:00.000Z
   */
  expiresAt: string;
  /**
   * What the browser says it is.
   * @example Mozilla/5.0 …
   */
  userAgent: string | null;
  /**
   * Whether it is the one that asks.
   * @example true
   */
  current: boolean;
}
/** A way to log in without a password. */
export interface Passkey {
  /**
   * The passkey’s id.
   * @example 3
   */
  id: number;
  /**
   * What its owner calls it.
   * @example Phone
   */
  name: string;
  /**
   * When it was added.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it last logged somebody in.
   * @example 2026-11-21T09:30:00.000Z
   */
  lastUsedAt: string | null;
}
/** One collaborator’s line in a payout run. */
export interface Payout {
  /**
   * The payout’s id.
   * @example 61
   */
  id: number;
  /**
   * The run that it is in.
   * @example 71
   */
  fulfillmentId: number;
  /**
   * Whom it pays.
   * @example 7
   */
  collaboratorId: number;
  /**
   * What its obligations add up to; 0 when void. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * `unpaid ⇄ paid`, `unpaid → void` (its run failed, or a review left nothing of it).
   */
  status: 'unpaid' | 'paid' | 'void';
  /** Whether somebody has to look at it, and why. */
  review: {
    /**
     * A flagged payout can’t be marked paid.
     */
    state: 'none' | 'flagged' | 'resolved';
    /**
     * Oldest first.
     * @example []
     */
    reasons: PayoutFlag[];
  };
  /**
   * When it was marked paid.
   * @example 2026-11-21T09:30:00.000Z
   */
  paidAt: string | null;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** How a collaborator wants to be paid. */
export interface PayoutDetails {
  /**
   * How they want to be paid.
   * @example bank
   */
  method: 'bank' | 'paypal' | 'other';
  /**
   * In whose name the account is.
   * @example Ada Lovelace
   */
  holder: string;
  /**
   * Its number or address.
   * @example DE89 3704 0044 0532 0130 00
   */
  account: string;
  /**
   * When they were given.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** Why a payout is looked at by a person: money in it went back. */
export interface PayoutFlag {
  /**
   * The sale that was refunded.
   * @example 31
   */
  transactionId: number;
  /**
   * What was earned with it.
   * @example 41
   */
  conversionId: number;
  /**
   * What is in the payout for it.
   * @example 51
   */
  obligationId: number;
  /**
   * How much of it is not owed any more. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * What happened.
   */
  reason: 'refunded' | 'partly-refunded' | 'rejected';
  /**
   * What the review said; `void`: the payout became void. Absent: it is open.
   */
  resolution?: ('keep' | 'claw-back' | 'void') | undefined;
  /**
   * The reviewer’s words.
   * @example Paid before the return
   */
  note?: string | undefined;
  /**
   * Whose call resolved it.
   * @example key 3
   */
  author?: string | undefined;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was resolved.
   * @example 2026-11-21T09:30:00.000Z
   */
  resolvedAt?: string | undefined;
}
/** Somebody who works with the console. */
export interface Person {
  /**
   * The person’s id: the audit has them as `person` with it.
   * @example 5
   */
  id: number;
  /**
   * The address that they log in with.
   * @example ada@example.com
   */
  email: string;
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name: string;
  /**
   * What they may do.
   * @example manager
   */
  role: 'owner' | 'manager' | 'viewer';
  /**
   * Who was removed can’t log in.
   * @example active
   */
  status: 'active' | 'removed';
  /**
   * Whether a password needs a code beside it.
   * @example true
   */
  twoFactor: boolean;
  /**
   * How many passkeys they have.
   * @example 1
   */
  passkeys: number;
  /**
   * When they accepted their invitation.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When they last did something here, to the minute.
   * @example 2026-11-21T09:30:00.000Z
   */
  lastSeenAt: string | null;
}
/** An organization’s portal, as everybody may see it. */
export interface Portal {
  /**
   * What stands in the portal’s address.
   * @example adas-mugs
   */
  slug: string;
  /**
   * How the merchant calls itself.
   * @example Ada’s Mugs
   */
  name: string;
  /**
   * The colour of buttons and links, as `#rrggbb`.
   * @example #4f46e5
   */
  accent: string;
  /**
   * A PNG, SVG or WebP as a data: URL in base64, at most 65536 bytes. Also served at `<base>/portal/<slug>/logo`.
   * @example data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=
   */
  logo: string | null;
  /**
   * Where collaborators get help.
   * @example partners@shop.example
   */
  supportEmail: string | null;
  /**
   * Your terms for collaborators.
   * @example https://shop.example/partners/terms
   */
  termsUrl: string | null;
  /** Whether its data are made up, by `npm run demo`. */
  demo: boolean;
  /** Active programs that are open to sign-up, by name. At most 200. */
  programs: {
    /**
     * The program’s id.
     * @example 5
     */
    id: number;
    /**
     * What it is called.
     * @example Friends
     */
    name: string;
    /**
     * Whether a person looks at who signs up.
     * @example approval
     */
    mode: 'closed' | 'approval' | 'open';
    /**
     * What the merchant says about it.
     * @example Ten percent on every mug
     */
    headline: string | null;
    /**
     * What is asked at sign-up.
     * @example Where will you tell people of us?
     */
    question: string | null;
    /**
     * What it pays, in plain sentences.
     * @example [
     *       "You earn 10% of every sale."
     *     ]
     */
    words: string[];
  }[];
}
/** What a collaborator says of themselves. */
export interface PortalAccount {
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name: string;
  /**
   * Where they are reached. The merchant can change it.
   * @example ada@example.com
   */
  email: string | null;
  /** Null until they are given. */
  payoutDetails: PortalPayoutDetails | null;
}
/** What a collaborator has earned with one sale, lead or renewal. */
export interface PortalConversion {
  /**
   * The conversion’s id.
   * @example 41
   */
  id: number;
  /**
   * What was paid for; `manual` is a credit by hand.
   */
  type: 'sale' | 'lead' | 'renewal' | 'manual';
  /**
   * In which program.
   * @example Friends
   */
  programName: string;
  /**
   * `pending → approved`, either `→ rejected`.
   */
  status: 'pending' | 'approved' | 'rejected';
  /**
   * What it is worth, or, of a rejected one, was. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * Where it stands and why, in plain sentences.
   * @example The order was given back, so nothing is owed for it.
   */
  words: string;
  /**
   * When it was decided.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** What a collaborator has brought and earned on a day, by a link, or in all. */
export interface PortalFigure {
  /**
   * Of `by=day`.
   * @example 2026-11-21
   */
  day?: string | undefined;
  /**
   * Of `by=link`; null for what came by no link.
   * @example 9
   */
  linkId?: (number | null) | undefined;
  /**
   * The link’s code.
   * @example ada
   */
  code?: (string | null) | undefined;
  /**
   * Visits that they referred.
   * @example 42
   */
  visits: number;
  /**
   * Conversions, by when they were decided.
   * @example 3
   */
  conversions: number;
  /** By currency. */
  earned: {
    /**
     * ISO 4217.
     * @example USD
     */
    currency: string;
    /**
     * What was awarded, less what was rejected or taken back in the span. In hundredths of the major unit.
     * @example 500
     */
    amount: number;
  }[];
}
/** A collaborator’s own figures. */
export interface PortalFigures {
  /**
   * From this day on (UTC).
   * @example 2026-11-01
   */
  from: string;
  /**
   * Before this day.
   * @example 2026-12-01
   */
  until: string;
  /**
   * What each row stands for.
   */
  by: 'day' | 'link' | 'total';
  /**
   * As of when.
   * @example 2026-11-21T09:30:00.000Z
   */
  computedAt: string;
  /** Every day of the span, or the links of most earnings and visits first. */
  rows: PortalFigure[];
}
/** A link or a coupon by which a collaborator refers. */
export interface PortalLink {
  /**
   * The link’s id.
   * @example 9
   */
  id: number;
  /**
   * A link, or a code that is given at the till.
   */
  type: 'link' | 'coupon';
  /**
   * The code in it.
   * @example ada.newsletter
   */
  code: string;
  /**
   * What the collaborator calls it by, such as a newsletter: letters, digits, `_` and `-`.
   * @example newsletter
   */
  subId: string | null;
  /**
   * Where it is; of a coupon null.
   * @example https://shop.example/?ref=ada.newsletter
   */
  url: string | null;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * Visits by it in the last 400 days.
   * @example 42
   */
  visits: number;
  /**
   * Conversions by it, likewise.
   * @example 3
   */
  conversions: number;
}
/** What a collaborator gets out of one run. */
export interface PortalPayout {
  /**
   * The payout’s id.
   * @example 61
   */
  id: number;
  /**
   * What it pays. In hundredths of the major unit.
   * @example 500
   */
  amount: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * `unpaid ⇄ paid`, `unpaid → void`.
   * @example paid
   */
  status: 'unpaid' | 'paid' | 'void';
  /**
   * Whether a person looks at it first, since some of what it pays went back.
   * @example false
   */
  isUnderReview: boolean;
  /**
   * When it was paid.
   * @example 2026-11-21T09:30:00.000Z
   */
  paidAt: string | null;
  /**
   * When it was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
}
/** How they want to be paid, as far as it is shown. */
export interface PortalPayoutDetails {
  /**
   * How they want to be paid.
   * @example bank
   */
  method: 'bank' | 'paypal' | 'other';
  /**
   * In whose name the account is.
   * @example Ada Lovelace
   */
  holder: string;
  /**
   * Its end, to recognize it by.
   * @example ••••3000
   */
  account: string;
  /**
   * When they were given.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** Who has logged in to the portal. */
export interface PortalSession {
  /** Who has logged in. */
  collaborator: {
    /**
     * The collaborator’s id.
     * @example 7
     */
    id: number;
    /**
     * What they are called.
     * @example Ada Lovelace
     */
    name: string;
    /**
     * Where they are reached.
     * @example ada@example.com
     */
    email: string | null;
    /**
     * `pending`: a person has yet to let them in; nothing is earned until then.
     * @example active
     */
    status: 'pending' | 'active';
  };
  /** Where they are. */
  portal: {
    /**
     * What stands in the portal’s address.
     * @example adas-mugs
     */
    slug: string;
    /**
     * How the merchant calls itself.
     * @example Ada’s Mugs
     */
    name: string;
    /**
     * The colour of buttons and links, as `#rrggbb`.
     * @example #4f46e5
     */
    accent: string;
    /**
     * A PNG, SVG or WebP as a data: URL in base64, at most 65536 bytes. Also served at `<base>/portal/<slug>/logo`.
     * @example data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=
     */
    logo: string | null;
    /**
     * Where collaborators get help.
     * @example partners@shop.example
     */
    supportEmail: string | null;
    /**
     * Your terms for collaborators.
     * @example https://shop.example/partners/terms
     */
    termsUrl: string | null;
  };
  /** The active programs in which they may earn, or may once they are active, by name. At most 200. */
  programs: {
    /**
     * The program’s id.
     * @example 5
     */
    id: number;
    /**
     * What it is called.
     * @example Friends
     */
    name: string;
    /**
     * What it pays them, in plain sentences.
     * @example [
     *       "You earn 10% of every sale."
     *     ]
     */
    words: string[];
  }[];
  /**
   * When they have to log in again, whatever they do.
   * @example 2026-11-21T09:30:00.000Z
   */
  expiresAt: string;
}
/** How collaborators find your portal, and how it looks. */
export interface PortalSettings {
  /**
   * What stands in the portal’s address, `<base>/portal/<slug>/`. Null: the portal is closed.
   * @example adas-mugs
   */
  slug: string | null;
  /**
   * Where the portal is, by the setting PUBLIC_URL; null while it is closed.
   * @example https://whence.example.com/portal/adas-mugs/
   */
  url: string | null;
  /**
   * How the merchant calls itself.
   * @example Ada’s Mugs
   */
  name: string;
  /**
   * The colour of buttons and links, as `#rrggbb`.
   * @example #4f46e5
   */
  accent: string;
  /**
   * A PNG, SVG or WebP as a data: URL in base64, at most 65536 bytes. Also served at `<base>/portal/<slug>/logo`.
   * @example data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=
   */
  logo: string | null;
  /**
   * Where collaborators get help.
   * @example partners@shop.example
   */
  supportEmail: string | null;
  /**
   * Your terms for collaborators.
   * @example https://shop.example/partners/terms
   */
  termsUrl: string | null;
  /**
   * Where links lead: your shop. An open portal needs it.
   * @example https://shop.example/
   */
  landingUrl: string | null;
  /**
   * The parameter in which a link has its code: the snippet’s setting, and what your shop looks for.
   * @example ref
   */
  refParameter: string;
  /**
   * Sites that may show the portal within their own pages (an iframe), such as `https://shop.example`.
   * @example [
   *       "https://shop.example"
   *     ]
   */
  embedOrigins: string[];
}
/** What became payable to a collaborator, was taken back and was paid. */
export interface PortalStatement {
  /**
   * From this moment on; null from the beginning.
   * @example 2026-11-21T09:30:00.000Z
   */
  from: string | null;
  /**
   * Before this moment; null up to now.
   * @example 2026-11-21T09:30:00.000Z
   */
  to: string | null;
  /** One for each currency, by currency. */
  currencies: {
    /**
     * ISO 4217.
     * @example USD
     */
    currency: string;
    /**
     * The balance before the first entry. In hundredths of the major unit.
     * @example 0
     */
    opening: number;
    /** In the order of their time. */
    entries: {
      /**
       * The entry’s number.
       * @example 101
       */
      id: number;
      /**
       * When, to the microsecond.
       * @example 2026-11-21T09:30:00.123456Z
       */
      occurredAt: string;
      /**
       * What happened.
       * @example approve
       */
      kind: 'award' | 'approve' | 'reject' | 'reduce' | 'fulfil' | 'release' | 'pay' | 'unpay' | 'claw-back';
      /**
       * How much it is about. In hundredths of the major unit.
       * @example 500
       */
      amount: number;
      /**
       * What it adds to the balance. In hundredths of the major unit.
       * @example 500
       */
      effect: number;
      /**
       * The balance after it. In hundredths of the major unit.
       * @example 500
       */
      balance: number;
      /**
       * The conversion that it is about.
       * @example 41
       */
      conversionId: number | null;
      /** The payout that it is about. */
      payoutId: number | null;
    }[];
    /** By kind, of those that occur. */
    totals: {
      /**
       * Entries of this kind together.
       * @example approve
       */
      kind: 'award' | 'approve' | 'reject' | 'reduce' | 'fulfil' | 'release' | 'pay' | 'unpay' | 'claw-back';
      /**
       * How many there are.
       * @example 1
       */
      entries: number;
      /**
       * What they move. In hundredths of the major unit.
       * @example 500
       */
      amount: number;
      /**
       * What they add to the balance. In hundredths of the major unit.
       * @example 500
       */
      effect: number;
    }[];
    /**
     * The balance after the last entry. In hundredths of the major unit.
     * @example 500
     */
    closing: number;
  }[];
}
export interface PreviewFulfillmentsBody {
  /** These alone; without any all that is pending. */
  obligationIds?: ((number | string)[] | null) | undefined;
  /**
   * Whoever is owed less in a currency gets nothing; it is carried forward. In hundredths of the major unit.
   * @example 2500
   */
  minimum?: (number | null) | undefined;
  /**
   * A run in this currency only.
   * @example USD
   */
  currency?: (string | null) | undefined;
}
export interface PreviewInvitationBody {
  /**
   * What stands behind the `#` of the link.
   * @example q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o
   */
  token: string;
}
/** An RFC 9457 problem. */
export interface Problem {
  /**
   * A URI of the kind of problem.
   * @example urn:whence:problem:not-found
   */
  type: string;
  /**
   * What kind of problem it is.
   * @example There is no such resource
   */
  title: string;
  /**
   * The HTTP status.
   * @example 404
   */
  status: number;
  /**
   * What is wrong here.
   * @example There is no such resource
   */
  detail: string;
  /**
   * Stable; programs decide by it.
   */
  code:
    | 'malformed-json'
    | 'bad-request'
    | 'unauthenticated'
    | 'wrong-credentials'
    | 'code-required'
    | 'tier-required'
    | 'scope-required'
    | 'log-in-too-old'
    | 'origin-not-allowed'
    | 'not-found'
    | 'sale-not-found'
    | 'event-not-found'
    | 'not-decided'
    | 'method-not-allowed'
    | 'request-timeout'
    | 'sale-conflict'
    | 'refund-conflict'
    | 'already-credited'
    | 'under-review'
    | 'still-owed'
    | 'idempotency-in-flight'
    | 'idempotency-answer-lost'
    | 'too-many-webhooks'
    | 'too-many-invitations'
    | 'slug-taken'
    | 'portal-taken'
    | 'alias-taken'
    | 'code-taken'
    | 'too-many-links'
    | 'address-taken'
    | 'last-owner'
    | 'invalid-transition'
    | 'link-expired'
    | 'precondition-failed'
    | 'body-too-large'
    | 'unsupported-media-type'
    | 'expectation-failed'
    | 'invalid-request'
    | 'refund-exceeds-sale'
    | 'return-below-zero'
    | 'idempotency-mismatch'
    | 'rate-limited'
    | 'headers-too-large'
    | 'internal'
    | 'unavailable';
  /** Every fault of a request. */
  errors?: Fault[] | undefined;
  error: ProblemSummary;
}
/** The same problem for clients that read a member `error`. New clients should read the other members. */
export interface ProblemSummary {
  /**
   * The same text as `detail`.
   * @example /name: This field is required.
   */
  message: string;
  /**
   * The same code as `code`.
   * @example invalid-request
   */
  code: string;
  /**
   * The details of `errors` by field. The key is the pointer with dots: `/items/0/name` is `items.0.name`. Empty without `errors`.
   * @example {
   *       "name": "This field is required."
   *     }
   */
  data: {
    [key: string]: string;
  };
}
/** Rules: who may earn, on what, how much. */
export interface Program {
  /**
   * The program’s id.
   * @example 5
   */
  id: number;
  /**
   * Its newest version.
   * @example 1
   */
  version: number;
  /**
   * What it is called.
   * @example Friends
   */
  name: string;
  /** What it is for. */
  description: string | null;
  /**
   * `draft → active ⇄ inactive`, any `→ deleted`.
   * @example active
   */
  status: 'draft' | 'active' | 'inactive' | 'deleted';
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * Days of 24 hours after the last visit.
   * @example 30
   */
  windowDays: number;
  /**
   * Who gets the credit.
   */
  attribution: 'last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score';
  /**
   * The kinds of lines that count.
   * @example [
   *       "product",
   *       "discount"
   *     ]
   */
  countedLines: ('product' | 'shipping' | 'tax' | 'fee' | 'discount')[];
  /** The kinds of events that it pays for. */
  pays: ('sale' | 'lead' | 'renewal')[];
  /** Whether conversions are approved at once. */
  autoApprove: boolean;
  /** Or after so many days. */
  approveAfterDays: number | null;
  /**
   * Who may earn.
   */
  enrollment: 'everyone' | 'selected';
  /**
   * Whether every sale of a visitor earns.
   */
  creditsPer: 'sale' | 'opportunity';
  reward: Reward;
  /**
   * Points that each trigger adds to the score; one that is absent is off.
   * @example {
   *       "site-visit": 1
   *     }
   */
  triggers: {
    [key: string]: number;
  };
  /** Of the programs in one group only one pays for a transaction. */
  groupId: number | null;
  /** Other rewards for those who have earned enough in the period. */
  tiers: {
    /**
     * By the UTC calendar; a week begins on Monday.
     */
    period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
    /**
     * What counts.
     */
    by: 'sum' | 'count';
    steps: {
      /**
       * Where it begins.
       * @example 10000
       */
      from: number;
      reward: Reward;
    }[];
  } | null;
  /**
   * What it pays for one transaction at most. In hundredths of the major unit.
   * @example 500
   */
  capPerOrder: number | null;
  /** What one collaborator may be awarded in a period. */
  capPerPeriod: {
    /**
     * By the UTC calendar; a week begins on Monday.
     */
    period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
    /**
     * At most. In hundredths of the major unit.
     * @example 500
     */
    amount: number;
  } | null;
  /** Counted are lines that match one of `include`, or all if it is empty, and none of `exclude`. */
  lineFilter: {
    include: LineMatcher[];
    exclude: LineMatcher[];
  } | null;
  /**
   * The total that a sale must have. In hundredths of the major unit.
   * @example 500
   */
  minimumOrder: number | null;
  /**
   * Rewards of single collaborators, which go before tiers and the program’s own.
   * @example []
   */
  collaboratorRewards: {
    /** Whose it is. */
    collaboratorId: number;
    reward: Reward;
  }[];
  /** How long renewals of a sale are paid. */
  renewals: {
    /** So many months after the sale. */
    months: number | null;
    /** So many renewals of a sale. */
    times: number | null;
  } | null;
  /** What is held until a person has looked at it; null is off. */
  holds: {
    /**
     * More visits of one collaborator from one address in an hour.
     * @example 20
     */
    visitsFromAddress: number | null;
    /**
     * More visits of one collaborator in an hour.
     * @example 1000
     */
    visitsOfCollaborator: number | null;
    /** A coupon that its owner has used. */
    ownCoupon: boolean;
    /**
     * So soon after the first touch.
     * @example 10
     */
    secondsToSale: number | null;
  } | null;
  /**
   * When it was created.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When its newest version was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** A program in words, and what it would pay. */
export interface ProgramExample {
  /**
   * The program’s terms in plain sentences, the most important first.
   * @example [
   *       "Collaborators earn 10% of each sale: of products, less discounts."
   *     ]
   */
  words: string[];
  /** Who would earn what, who would not, and why, as `explainTransaction` tells of a real one. */
  explanation: {
    /**
     * What was imagined.
     */
    kind: 'sale' | 'lead' | 'renewal';
    /**
     * Of a renewal: which one of its sale.
     * @example 3
     */
    renewalNumber?: number | undefined;
    /**
     * The total; 0 for a lead. In hundredths of the major unit.
     * @example 10000
     */
    total: number;
    /**
     * Its products and discounts; 0 for a lead. In hundredths of the major unit.
     * @example 10000
     */
    base: number;
    /**
     * ISO 4217; `XXX` for a lead, which has none.
     * @example USD
     */
    currency: string;
    /**
     * Why it as a whole earned nobody anything.
     * @example no-engagement
     */
    reason?: string | undefined;
    candidates: ExampleCandidate[];
    /**
     * All of it in words, a line each.
     * @example Ada earned 10.00 USD: 10% of 100.00 USD = 10.00 USD. Touches 1 day before, score 1.
     */
    text: string;
  };
}
/** Programs of which only one pays for a transaction. */
export interface ProgramGroup {
  /**
   * The group’s id.
   * @example 3
   */
  id: number;
  /**
   * What it is called.
   * @example Partners or friends
   */
  name: string;
  /**
   * Which of its programs pays.
   */
  rule: 'newest' | 'oldest';
  /**
   * `active → deleted`.
   */
  status: 'active' | 'deleted';
  /**
   * Its programs, deleted ones left out.
   * @example [
   *       5,
   *       6
   *     ]
   */
  programIds: number[];
  /**
   * When it was created.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last edited itself; its programs may have come and gone by theirs.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** Whether, and how, collaborators sign up for a program by the portal. */
export interface ProgramSignUp {
  /**
   * `closed`: nobody signs up by the portal. `approval`: whoever does is `pending` until you make them `active`. `open`: they may earn at once.
   * @example approval
   */
  mode: 'closed' | 'approval' | 'open';
  /**
   * What the form says about the program; its name unless given.
   * @example Ten percent on every mug
   */
  headline: string | null;
  /**
   * What you want to know of whoever signs up. Without it nothing is asked.
   * @example Where will you tell people of us?
   */
  question: string | null;
}
/** A program as it was from one edit to the next. Never changed. */
export interface ProgramVersion {
  /**
   * The program’s id.
   * @example 5
   */
  programId: number;
  /**
   * Counts from 1.
   * @example 1
   */
  version: number;
  /**
   * What it is called.
   * @example Friends
   */
  name: string;
  /** What it is for. */
  description: string | null;
  /**
   * `draft → active ⇄ inactive`, any `→ deleted`.
   * @example active
   */
  status: 'draft' | 'active' | 'inactive' | 'deleted';
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * Days of 24 hours after the last visit.
   * @example 30
   */
  windowDays: number;
  /**
   * Who gets the credit.
   */
  attribution: 'last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score';
  /**
   * The kinds of lines that count.
   * @example [
   *       "product",
   *       "discount"
   *     ]
   */
  countedLines: ('product' | 'shipping' | 'tax' | 'fee' | 'discount')[];
  /** The kinds of events that it pays for. */
  pays: ('sale' | 'lead' | 'renewal')[];
  /** Whether conversions are approved at once. */
  autoApprove: boolean;
  /** Or after so many days. */
  approveAfterDays: number | null;
  /**
   * Who may earn.
   */
  enrollment: 'everyone' | 'selected';
  /**
   * Whether every sale of a visitor earns.
   */
  creditsPer: 'sale' | 'opportunity';
  reward: Reward;
  /**
   * Points that each trigger adds to the score; one that is absent is off.
   * @example {
   *       "site-visit": 1
   *     }
   */
  triggers: {
    [key: string]: number;
  };
  /** Of the programs in one group only one pays for a transaction. */
  groupId: number | null;
  /** Other rewards for those who have earned enough in the period. */
  tiers: {
    /**
     * By the UTC calendar; a week begins on Monday.
     */
    period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
    /**
     * What counts.
     */
    by: 'sum' | 'count';
    steps: {
      /**
       * Where it begins.
       * @example 10000
       */
      from: number;
      reward: Reward;
    }[];
  } | null;
  /**
   * What it pays for one transaction at most. In hundredths of the major unit.
   * @example 500
   */
  capPerOrder: number | null;
  /** What one collaborator may be awarded in a period. */
  capPerPeriod: {
    /**
     * By the UTC calendar; a week begins on Monday.
     */
    period: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';
    /**
     * At most. In hundredths of the major unit.
     * @example 500
     */
    amount: number;
  } | null;
  /** Counted are lines that match one of `include`, or all if it is empty, and none of `exclude`. */
  lineFilter: {
    include: LineMatcher[];
    exclude: LineMatcher[];
  } | null;
  /**
   * The total that a sale must have. In hundredths of the major unit.
   * @example 500
   */
  minimumOrder: number | null;
  /**
   * Rewards of single collaborators, which go before tiers and the program’s own.
   * @example []
   */
  collaboratorRewards: {
    /** Whose it is. */
    collaboratorId: number;
    reward: Reward;
  }[];
  /** How long renewals of a sale are paid. */
  renewals: {
    /** So many months after the sale. */
    months: number | null;
    /** So many renewals of a sale. */
    times: number | null;
  } | null;
  /** What is held until a person has looked at it; null is off. */
  holds: {
    /**
     * More visits of one collaborator from one address in an hour.
     * @example 20
     */
    visitsFromAddress: number | null;
    /**
     * More visits of one collaborator in an hour.
     * @example 1000
     */
    visitsOfCollaborator: number | null;
    /** A coupon that its owner has used. */
    ownCoupon: boolean;
    /**
     * So soon after the first touch.
     * @example 10
     */
    secondsToSale: number | null;
  } | null;
  /**
   * When it was made.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
}
/** What lets in who has lost their second factor. */
export interface RecoveryCodes {
  /**
   * Shown this once, and stored as hashes.
   * @example [
   *       "J4QX-7KPM-W2TB-9RZC-V6HD-3NYE"
   *     ]
   */
  recoveryCodes: string[];
}
export interface RedeliverBody {
  /** Which; one that comes twice counts once. */
  deliveryIds: (number | string)[];
}
export interface RejectConversionBody {
  /**
   * Why, for the collaborator.
   * @example Order was a test
   */
  reason: string;
}
export interface RemoveTotpBody {
  /**
   * Six digits of the app, or a recovery code.
   * @example 492039
   */
  code: string;
}
export interface ReportCouponAppliedBody {
  /**
   * The opportunity, as the visit’s answer named it in its header.
   * @example 5214909912345678
   */
  trackingId: number | string;
  /**
   * A coupon’s code. Compared without regard to case.
   * @example ADA10
   */
  code: string;
  /**
   * When it occurred, if not now: at most 30 days ago (`LATE_REPORT_DAYS`) and at most five minutes ahead. It determines windows, periods and the order of touches. A repeat with another `occurredAt` is still a repeat.
   * @example 2026-11-21T09:30:00Z
   */
  occurredAt?: (string | null) | undefined;
}
export interface ReportCustomEventBody {
  /**
   * The slug of the custom event.
   * @example newsletter-signup
   */
  event: string;
  /**
   * The opportunity, as the visit’s answer named it in its header.
   * @example 5214909912345678
   */
  trackingId: number | string;
  /**
   * The collaborator who referred the visitor: an id (a number, or its digits as text), or an alias `<type>:<code>`, for tracking links `tracking:<code>` with the code of the `?ref=` URL. Codes compare case-insensitively.
   * @example tracking:ada
   */
  collaboratorId?: (number | string | null) | undefined;
  /**
   * When it occurred, if not now: at most 30 days ago (`LATE_REPORT_DAYS`) and at most five minutes ahead. It determines windows, periods and the order of touches. A repeat with another `occurredAt` is still a repeat.
   * @example 2026-11-21T09:30:00Z
   */
  occurredAt?: (string | null) | undefined;
}
export interface ReportEventBody {
  /**
   * The opportunity, as the visit’s answer named it in its header. Required without `userId`.
   * @example 5214909912345678
   */
  trackingId?: (number | string | null) | undefined;
  /**
   * The visitor’s user id in your platform, an integer or any text. Used only without `trackingId`.
   * @example 42
   */
  userId?: (number | string | null) | undefined;
  /**
   * The collaborator who referred the visitor: an id (a number, or its digits as text), or an alias `<type>:<code>`, for tracking links `tracking:<code>` with the code of the `?ref=` URL. Codes compare case-insensitively.
   * @example tracking:ada
   */
  collaboratorId?: (number | string | null) | undefined;
  /**
   * When it occurred, if not now: at most 30 days ago (`LATE_REPORT_DAYS`) and at most five minutes ahead. It determines windows, periods and the order of touches. A repeat with another `occurredAt` is still a repeat.
   * @example 2026-11-21T09:30:00Z
   */
  occurredAt?: (string | null) | undefined;
}
export interface ReportLeadBody {
  /**
   * The opportunity, as the visit’s answer named it in its header.
   * @example 5214909912345678
   */
  trackingId: number | string;
  /**
   * The system that the lead comes from. Compared exactly.
   * @default lead
   * @example crm
   */
  source?: (string | null) | undefined;
  /**
   * The lead’s id in that system; without it, the digits of `trackingId`.
   * @example lead-77
   */
  externalId?: (string | number | null) | undefined;
  /**
   * When it occurred, if not now: at most 30 days ago (`LATE_REPORT_DAYS`) and at most five minutes ahead. It determines windows, periods and the order of touches. A repeat with another `occurredAt` is still a repeat.
   * @example 2026-11-21T09:30:00Z
   */
  occurredAt?: (string | null) | undefined;
}
export interface ReportRefundBody {
  /**
   * The system that the order comes from. Compared exactly.
   * @example shop
   */
  source: string;
  /**
   * The order’s id in that system: a string, or an integer, which is read as its digits.
   * @example order-1001
   */
  externalId: string | number;
  /**
   * The refund’s id in that system; a refund in part needs one.
   * @example refund-1
   */
  refundId?: (string | number | null) | undefined;
  /**
   * The refunded amount, in major units.
   * @example 9.99
   */
  amount?: (number | string | null) | undefined;
  /**
   * Instead of `amount`: the refunded amount in the smallest unit of the sale’s currency (ISO 4217).
   * @example 999
   */
  amountMinor?: (number | null) | undefined;
  /**
   * When it occurred, if not now: at most 30 days ago (`LATE_REPORT_DAYS`) and at most five minutes ahead. It determines windows, periods and the order of touches. A repeat with another `occurredAt` is still a repeat.
   * @example 2026-11-21T09:30:00Z
   */
  occurredAt?: (string | null) | undefined;
  /**
   * With `amount` or `amountMinor`: refunds the remaining amount if that is less. If nothing is left, nothing changes.
   * @default false
   */
  upTo?: (boolean | null) | undefined;
  /** The returned items, if not everything was returned. */
  items?:
    | (
        | {
            /**
             * The product’s id, as the sale named it.
             * @example sku-7
             */
            externalId: string | number;
            /**
             * How many of them.
             * @default 1
             * @example 1
             */
            quantity?: (number | string | null) | undefined;
          }[]
        | null
      )
    | undefined;
}
export interface ReportRenewalBody {
  /**
   * The system that the order comes from. Compared exactly.
   * @example shop
   */
  source: string;
  /**
   * The renewal’s id in that system: a string, or an integer, which is read as its digits.
   * @example invoice-2002
   */
  externalId: string | number;
  /**
   * The `externalId` of the sale that is renewed.
   * @example order-1001
   */
  saleExternalId: string | number;
  /**
   * The `source` of the sale that is renewed; without it, that of the renewal.
   * @example shop
   */
  saleSource?: (string | null) | undefined;
  /**
   * The total in major units, times 100 in every currency. Send `total` or `totalMinor`.
   * @example 49.99
   */
  total?: (number | string | null) | undefined;
  /**
   * Instead of `total`: the total in the smallest unit of the currency (ISO 4217: yen have no decimals).
   * @example 4999
   */
  totalMinor?: (number | null) | undefined;
  /**
   * ISO 4217, in any case; without it, that of the sale.
   * @example USD
   */
  currency?: (string | null) | undefined;
  /** The lines of the order. Without lines, the total is one line named `Order`. */
  items?:
    | (
        | {
            /**
             * The product’s id in your system.
             * @example sku-7
             */
            externalId?: (string | number | null) | undefined;
            /**
             * The line’s name. A name of more than 255 characters is cut.
             * @example Blue mug
             */
            name: string;
            /**
             * How many.
             * @default 1
             * @example 2
             */
            quantity?: (number | string | null) | undefined;
            /**
             * The unit price in major units; negative for a discount. Send `amount`, `amountMinor` or `total`.
             * @example 19.99
             */
            amount?: (number | string | null) | undefined;
            /**
             * Instead of `amount`: the unit price in the smallest unit of the currency (ISO 4217).
             * @example 1999
             */
            amountMinor?: (number | null) | undefined;
            /**
             * Instead of `amount`: the price of the whole line, in major units.
             * @example 39.98
             */
            total?: (number | string | null) | undefined;
            /**
             * What kind of line it is; a program says which it counts.
             * @default product
             */
            type?: (('product' | 'shipping' | 'tax' | 'fee' | 'discount') | null) | undefined;
          }[]
        | null
      )
    | undefined;
  /**
   * When it occurred, if not now: at most 30 days ago (`LATE_REPORT_DAYS`) and at most five minutes ahead. It determines windows, periods and the order of touches. A repeat with another `occurredAt` is still a repeat.
   * @example 2026-11-21T09:30:00Z
   */
  occurredAt?: (string | null) | undefined;
}
export interface ReportSaleBody {
  /**
   * The system that the order comes from. Compared exactly.
   * @example shop
   */
  source: string;
  /**
   * The order’s id in that system: a string, or an integer, which is read as its digits.
   * @example order-1001
   */
  externalId: string | number;
  /**
   * The total in major units, times 100 in every currency. Send `total` or `totalMinor`.
   * @example 49.99
   */
  total?: (number | string | null) | undefined;
  /**
   * Instead of `total`: the total in the smallest unit of the currency (ISO 4217: yen have no decimals).
   * @example 4999
   */
  totalMinor?: (number | null) | undefined;
  /**
   * The opportunity, as the visit’s answer named it in its header.
   * @example 5214909912345678
   */
  trackingId: number | string | null;
  /**
   * The buyer’s user id in your platform, an integer or text. Used only if `trackingId` is null: the order then belongs to the opportunity of this user. 0 and null count as absent.
   * @example 42
   */
  userId?: (number | string | null) | undefined;
  /**
   * ISO 4217, in any case.
   * @default USD
   * @example USD
   */
  currency?: (string | null) | undefined;
  /** The lines of the order. Without lines, the total is one line named `Order`. */
  items?:
    | (
        | {
            /**
             * The product’s id in your system.
             * @example sku-7
             */
            externalId?: (string | number | null) | undefined;
            /**
             * The line’s name. A name of more than 255 characters is cut.
             * @example Blue mug
             */
            name: string;
            /**
             * How many.
             * @default 1
             * @example 2
             */
            quantity?: (number | string | null) | undefined;
            /**
             * The unit price in major units; negative for a discount. Send `amount`, `amountMinor` or `total`.
             * @example 19.99
             */
            amount?: (number | string | null) | undefined;
            /**
             * Instead of `amount`: the unit price in the smallest unit of the currency (ISO 4217).
             * @example 1999
             */
            amountMinor?: (number | null) | undefined;
            /**
             * Instead of `amount`: the price of the whole line, in major units.
             * @example 39.98
             */
            total?: (number | string | null) | undefined;
            /**
             * What kind of line it is; a program says which it counts.
             * @default product
             */
            type?: (('product' | 'shipping' | 'tax' | 'fee' | 'discount') | null) | undefined;
          }[]
        | null
      )
    | undefined;
  /**
   * When it occurred, if not now: at most 30 days ago (`LATE_REPORT_DAYS`) and at most five minutes ahead. It determines windows, periods and the order of touches. A repeat with another `occurredAt` is still a repeat.
   * @example 2026-11-21T09:30:00Z
   */
  occurredAt?: (string | null) | undefined;
  /** The coupons that the buyer used. */
  couponCodes?: (string[] | null) | undefined;
}
export interface ReportVisitBody {
  /**
   * The collaborator who referred the visitor: an id (a number, or its digits as text), or an alias `<type>:<code>`, for tracking links `tracking:<code>` with the code of the `?ref=` URL. Codes compare case-insensitively.
   * @example tracking:ada
   */
  collaboratorId: number | string;
  /**
   * The visitor’s user id in your platform: an integer, or text of 1 to 255 characters without control characters. An integer and its digits without leading zeros are the same user; other ids compare exactly. 0 and null count as absent. Only a secret key can send it: a publishable key’s is ignored, since user ids can be guessed.
   * @example 42
   */
  userId?: (number | string | null) | undefined;
  /**
   * When it occurred, if not now: at most 30 days ago (`LATE_REPORT_DAYS`) and at most five minutes ahead. It determines windows, periods and the order of touches. A repeat with another `occurredAt` is still a repeat.
   * @example 2026-11-21T09:30:00Z
   */
  occurredAt?: (string | null) | undefined;
}
export interface RequestPasswordResetBody {
  /**
   * The address that they log in with.
   * @example ada@example.com
   */
  email: string;
}
export interface RequestPortalLinkBody {
  /**
   * The address.
   * @example ada@example.com
   */
  email: string;
}
export interface ResetPasswordBody {
  /**
   * What stands behind the `#` of the link.
   * @example q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o
   */
  token: string;
  /**
   * The new password: at least 10 characters of any kind, and none that are tried first.
   * @example seven quiet herons
   */
  password: string;
}
export interface ReviewConversionsBody {
  /**
   * What to do with them.
   */
  action: 'approve' | 'reject' | 'release';
  /** Which; one that comes twice counts once. */
  ids: (number | string)[];
  /**
   * Why, for the collaborator.
   * @example Order was a test
   */
  reason?: (string | null) | undefined;
}
export interface ReviewManyPayoutsBody {
  /**
   * Pay it all the same, or take it back.
   */
  resolution: 'keep' | 'claw-back';
  /**
   * Why, for the record.
   * @example Paid before the return
   */
  note: string;
  /** Which; one that comes twice counts once. */
  ids: (number | string)[];
  /** What you decide by: payouts as you read them. Of one that is not here all is decided that is open by now. */
  seen?:
    | (
        | {
            /**
             * One of `ids`.
             * @example 61
             */
            id: number | string;
            /**
             * How many reasons its `review.reasons` had, resolved ones as well.
             * @example 1
             */
            reasons: number | string;
          }[]
        | null
      )
    | undefined;
}
export interface ReviewPayoutBody {
  /**
   * Pay it all the same, or take it back.
   */
  resolution: 'keep' | 'claw-back';
  /**
   * Why, for the record.
   * @example Paid before the return
   */
  note: string;
  /** What you decide by: the payout as you read it. Without it all is decided that is open by now. */
  seen?:
    | ({
        /**
         * How many reasons its `review.reasons` had, resolved ones as well.
         * @example 1
         */
        reasons: number | string;
      } | null)
    | undefined;
}
/** What a program pays. */
export type Reward =
  | {
      type: 'percent';
      /**
       * Percent.
       * @example 10
       */
      percent: number;
    }
  | {
      type: 'per-sale';
      /**
       * For each sale. In hundredths of the major unit.
       * @example 500
       */
      amount: number;
    }
  | {
      type: 'per-product';
      /**
       * For each counted piece. In hundredths of the major unit.
       * @example 500
       */
      amount: number;
    }
  | {
      type: 'per-lead';
      /**
       * For each lead. In hundredths of the major unit.
       * @example 500
       */
      amount: number;
    };
export interface RotateApiKeyBody {
  /**
   * How long the old key holds.
   * @default 86400
   * @example 3600
   */
  overlapSeconds?: (number | string | null) | undefined;
}
export interface RotateWebhookSecretBody {
  /**
   * How long the secret before it signs as well: up to 30 days; 0: it ends now.
   * @default 86400
   * @example 86400
   */
  overlapSeconds?: (number | string | null) | undefined;
}
/** Who is logged in, and what they may do. */
export interface Session {
  /**
   * The session’s id.
   * @example 12
   */
  id: number;
  person: Person;
  /** The organization that they belong to. */
  organization: {
    /**
     * The organization that the key belongs to.
     * @example 1
     */
    id: number;
    /**
     * What it is called.
     * @example Ada’s Mugs
     */
    name: string;
    /**
     * The three event operations need `essentials`.
     * @example essentials
     */
    tier: 'lite' | 'essentials';
  };
  /** What the person’s role may do, as a secret key’s scopes. */
  scopes: ('events:write' | 'resources:read' | 'resources:write' | 'keys:write' | 'people:write')[];
  /**
   * When it began.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last used, to the minute.
   * @example 2026-11-21T09:30:00.000Z
   */
  lastSeenAt: string;
  /**
   * When it ends, if it is used until then: after a day without use it ends by itself.
   * @example 2026-11-21T09:30:00.000Z
   */
  expiresAt: string;
  /**
   * Where people reach the service.
   * @example https://whence.example.com
   */
  publicUrl: string;
}
/** That a collaborator has asked to take part in a program. */
export interface SignUp {
  /**
   * The sign-up’s id.
   * @example 3
   */
  id: number;
  /**
   * For which program.
   * @example 5
   */
  programId: number;
  /**
   * What it is called.
   * @example Friends
   */
  programName: string;
  /**
   * `waiting`: until the collaborator is active and may earn in the program (it is for everyone, or they are enrolled). `turned-away`: the collaborator was rejected or deleted.
   */
  status: 'waiting' | 'accepted' | 'turned-away';
  /**
   * What was asked.
   * @example Where will you tell people of us?
   */
  question: string | null;
  /**
   * What was answered.
   * @example On my blog about tea
   */
  application: string | null;
  /**
   * When the address was confirmed: nothing is kept before that.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
}
export interface SignUpBody {
  /**
   * The program.
   * @example 5
   */
  programId: number | string;
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name: string;
  /**
   * Where to reach them.
   * @example ada@example.com
   */
  email: string;
  /** What they answer to the program’s question. */
  answer?: (string | null) | undefined;
  /**
   * The code that they wish for their links. Where it is taken a number follows it.
   * @example ada
   */
  code?: (string | null) | undefined;
}
/** What became payable to a collaborator, what was taken back and what was paid, in a span of time. */
export interface Statement {
  /**
   * Whose statement it is.
   * @example 7
   */
  collaboratorId: number;
  /**
   * From this moment on; null from the beginning.
   * @example 2026-11-21T09:30:00.000Z
   */
  from: string | null;
  /**
   * Before this moment; null up to now.
   * @example 2026-11-21T09:30:00.000Z
   */
  to: string | null;
  /** One for each currency, by currency; the one that was asked for in any case. */
  currencies: {
    /**
     * ISO 4217.
     * @example USD
     */
    currency: string;
    /**
     * The balance before the first entry. In hundredths of the major unit.
     * @example 0
     */
    opening: number;
    /** In the order of their time. */
    entries: {
      /**
       * The entry’s id.
       * @example 101
       */
      id: number;
      /**
       * `award` (earned), `approve` (payable now), `reject`, `reduce` (a refund), `fulfil` (into a payout), `release` (out of one that became void), `pay`, `unpay`, `claw-back` (taken back of what was in a payout).
       * @example approve
       */
      kind: 'award' | 'approve' | 'reject' | 'reduce' | 'fulfil' | 'release' | 'pay' | 'unpay' | 'claw-back';
      /**
       * Whose money it is.
       * @example 7
       */
      collaboratorId: number;
      /**
       * ISO 4217.
       * @example USD
       */
      currency: string;
      /**
       * How much is moved; above 0. In hundredths of the major unit.
       * @example 500
       */
      amount: number;
      /**
       * The account that has so much less.
       * @example draft
       */
      debit: 'expense' | 'draft' | 'pending' | 'in-payout' | 'paid';
      /**
       * The account that has so much more.
       * @example pending
       */
      credit: 'expense' | 'draft' | 'pending' | 'in-payout' | 'paid';
      /**
       * What is owed.
       * @example 51
       */
      obligationId: number | null;
      /**
       * The payout that it is in, comes into or leaves.
       * @example 61
       */
      payoutId: number | null;
      /**
       * What it is owed for.
       * @example 41
       */
      conversionId: number | null;
      /**
       * The sale, lead or renewal.
       * @example 31
       */
      transactionId: number | null;
      /**
       * When, to the microsecond: entries of one change share it.
       * @example 2026-11-21T09:30:00.123456Z
       */
      occurredAt: string;
      /**
       * Where the sale came from.
       * @example shop
       */
      source: string | null;
      /**
       * The sale’s id there.
       * @example order-1001
       */
      externalId: string | null;
      /**
       * What it adds to the balance; 0 for what only moves beside it or inside it. In hundredths of the major unit.
       * @example 500
       */
      effect: number;
      /**
       * The balance after it. In hundredths of the major unit.
       * @example 500
       */
      balance: number;
    }[];
    /** By kind, of those that occur. */
    totals: {
      /**
       * Entries of this kind together.
       * @example approve
       */
      kind: 'award' | 'approve' | 'reject' | 'reduce' | 'fulfil' | 'release' | 'pay' | 'unpay' | 'claw-back';
      /**
       * How many there are.
       * @example 1
       */
      entries: number;
      /**
       * What they move. In hundredths of the major unit.
       * @example 500
       */
      amount: number;
      /**
       * What they add to the balance. In hundredths of the major unit.
       * @example 500
       */
      effect: number;
    }[];
    /**
     * The balance after the last entry: `opening` and every `effect`. In hundredths of the major unit.
     * @example 500
     */
    closing: number;
  }[];
}
/** What an app makes codes from. It is shown this once. */
export interface TotpSecret {
  /**
   * To type in, in base32.
   * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
   */
  secret: string;
  /**
   * The same for a QR code.
   * @example otpauth://totp/Whence:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Whence
   */
  uri: string;
}
/** A reported sale, lead or renewal. */
export interface Transaction {
  /**
   * The transaction’s id.
   * @example 31
   */
  id: number;
  /**
   * What was reported. A lead has no lines, and no currency: `XXX`.
   */
  type: 'sale' | 'lead' | 'renewal';
  /**
   * Of a renewal: the sale.
   * @example 30
   */
  renewsTransactionId?: number | undefined;
  /**
   * Of a renewal: which of the sale’s it is.
   * @example 1
   */
  renewalNumber?: number | undefined;
  /**
   * The visitor. Null for an order without a referral.
   * @example 5214909912345678
   */
  opportunityId: number | null;
  /**
   * Where it was reported from.
   * @example shop
   */
  source: string;
  /**
   * The order there.
   * @example order-1001
   */
  externalId: string;
  /**
   * The order’s total. In hundredths of the major unit.
   * @example 4999
   */
  total: number;
  /**
   * What was refunded of it. In hundredths of the major unit.
   * @example 0
   */
  refundedAmount: number;
  /**
   * ISO 4217.
   * @example USD
   */
  currency: string;
  /**
   * `complete → refunded` or `cancelled`.
   */
  status: 'complete' | 'refunded' | 'cancelled';
  /** What was sold, in the order of the report. */
  lines: TransactionLine[];
  /**
   * When it occurred: as the report says, or when it was reported.
   * @example 2026-11-21T09:30:00.000Z
   */
  occurredAt: string;
  /**
   * When it was reported.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was refunded in full.
   * @example 2026-11-21T09:30:00.000Z
   */
  refundedAt: string | null;
}
/** A line of an order. */
export interface TransactionLine {
  /**
   * The product’s id in your system.
   * @example sku-7
   */
  externalId: string | null;
  /**
   * What it is.
   * @example Blue mug
   */
  name: string;
  /**
   * What kind of line it is.
   */
  type: 'product' | 'shipping' | 'tax' | 'fee' | 'discount';
  /**
   * How many.
   * @example 1
   */
  quantity: number;
  /**
   * The unit price. Rounded if the report gave the total of the line. In hundredths of the major unit.
   * @example 4999
   */
  amount: number;
  /**
   * The price of the whole line. In hundredths of the major unit.
   * @example 4999
   */
  total: number;
}
/** All that is stored under a visitor’s user id. */
export interface Visitor {
  /**
   * The user id in the request.
   * @example 42
   */
  userId: number | string;
  /**
   * Collaborators with this user id. Their data as collaborators is exported and erased with separate calls.
   * @example []
   */
  collaboratorIds: number[];
  /** All that are, or were, this visitor’s; oldest first. */
  opportunities: Opportunity[];
  /** What happened to them, one for each that was not merged. Up to 10,000 visits and signals of each. */
  journeys: Journey[];
  /** The lines of what was bought. */
  lines: {
    /**
     * The transaction.
     * @example 31
     */
    transactionId: number;
    /**
     * The product’s id in your system.
     * @example sku-1
     */
    externalId: string | null;
    /**
     * What was bought.
     * @example Mug
     */
    name: string;
    /**
     * Of which kind the line is.
     * @example product
     */
    type: 'product' | 'shipping' | 'tax' | 'fee' | 'discount';
    /**
     * How many.
     * @example 2
     */
    quantity: number;
    /**
     * The price of one. In hundredths of the major unit.
     * @example 500
     */
    amount: number;
    /**
     * The price of the whole line. In hundredths of the major unit.
     * @example 500
     */
    total: number;
  }[];
}
/** What was taken away. It doesn’t say whose it was. */
export interface VisitorErasure {
  /**
   * Opportunities that led to nothing: removed, with their visits and engagements.
   * @example 2
   */
  removedOpportunities: number;
  /**
   * The visits and signals of these.
   * @example 5
   */
  removedVisits: number;
  /**
   * Opportunities that led to a sale, a lead or a renewal. They no longer have a user id, and they are `invalid`.
   * @example 1
   */
  closedOpportunities: number;
  /**
   * Collaborators with this user id. This call does not erase them.
   * @example []
   */
  collaboratorIds: number[];
}
/** Where news are sent, without the secret that signs them. */
export interface Webhook {
  /**
   * The webhook’s id.
   * @example 4
   */
  id: number;
  /**
   * Where it sends.
   * @example https://shop.example/whence
   */
  url: string;
  /**
   * The same as `url`.
   * @example https://shop.example/whence
   */
  targetUrl: string;
  /**
   * What it is for.
   * @example Accounting
   */
  description: string | null;
  /**
   * Which messages it sends. `*` means all built-in types.
   * @example [
   *       "payout.paid"
   *     ]
   */
  events: (
    | '*'
    | 'opportunity.created'
    | 'opportunity.merged'
    | 'engagement.created'
    | 'transaction.created'
    | 'transaction.refunded'
    | 'conversion.created'
    | 'conversion.approved'
    | 'conversion.rejected'
    | 'obligation.created'
    | 'obligation.pending'
    | 'obligation.fulfilled'
    | 'obligation.rejected'
    | 'fulfillment.created'
    | 'fulfillment.updated'
    | 'payout.created'
    | 'payout.paid'
    | 'payout.flagged'
    | 'payout.resolved'
    | 'collaborator.created'
    | 'collaborator.updated'
    | 'program.created'
    | 'program.updated'
    | 'webhook.paused'
    | 'sale.created'
    | 'refund.created'
    | 'lead.created'
    | 'renewal.created'
    | 'coupon.applied'
    | 'engagement.awarded'
    | 'engagement.completed'
    | 'conversion.renewed'
    | 'transaction.completed'
    | 'opportunity.invalidated'
    | 'collaborator.registered'
    | 'obligation.completed'
  )[];
  /**
   * `active ⇄ paused`, either `→ deleted`. While it is paused deliveries wait.
   */
  status: 'active' | 'paused' | 'deleted';
  /** Why it is paused: somebody did it, it failed for three days, its receiver answered 410. */
  pausedReason: ('by-hand' | 'failing' | 'gone') | null;
  /**
   * Since when it is paused.
   * @example 2026-11-21T09:30:00.000Z
   */
  pausedAt: string | null;
  /**
   * The first failure since the last success.
   * @example 2026-11-21T09:30:00.000Z
   */
  failingSince: string | null;
  /**
   * Until then deliveries are signed with the secret before this one as well.
   * @example 2026-11-21T09:30:00.000Z
   */
  previousSecretUntil: string | null;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
}
/** One attempt to deliver. */
export interface WebhookAttempt {
  /**
   * Which of the attempts.
   * @example 1
   */
  number: number;
  /**
   * When it began.
   * @example 2026-11-21T09:30:00.000Z
   */
  startedAt: string;
  /**
   * How long it took, in milliseconds.
   * @example 84
   */
  durationMs: number;
  /**
   * What the receiver answered; null: nothing came.
   * @example 204
   */
  statusCode: number | null;
  /**
   * Why it failed.
   * @example no answer in time
   */
  error: string | null;
  /**
   * How the answer’s body began.
   * @example ok
   */
  response: string | null;
}
/** One message to one webhook. */
export interface WebhookDelivery {
  /**
   * The delivery’s id, the same at every attempt.
   * @example 1207
   */
  id: number;
  /**
   * Where it goes.
   * @example 4
   */
  webhookId: number;
  /**
   * What has happened.
   */
  type:
    | 'opportunity.created'
    | 'opportunity.merged'
    | 'engagement.created'
    | 'transaction.created'
    | 'transaction.refunded'
    | 'conversion.created'
    | 'conversion.approved'
    | 'conversion.rejected'
    | 'obligation.created'
    | 'obligation.pending'
    | 'obligation.fulfilled'
    | 'obligation.rejected'
    | 'fulfillment.created'
    | 'fulfillment.updated'
    | 'payout.created'
    | 'payout.paid'
    | 'payout.flagged'
    | 'payout.resolved'
    | 'collaborator.created'
    | 'collaborator.updated'
    | 'program.created'
    | 'program.updated'
    | 'webhook.paused'
    | 'sale.created'
    | 'refund.created'
    | 'lead.created'
    | 'renewal.created'
    | 'coupon.applied'
    | 'engagement.awarded'
    | 'engagement.completed'
    | 'conversion.renewed'
    | 'transaction.completed'
    | 'opportunity.invalidated'
    | 'collaborator.registered'
    | 'obligation.completed'
    | 'webhook.test';
  /**
   * To what: the `id` of its `data`.
   * @example 61
   */
  resourceId: number;
  /**
   * Of two about one resource, the one with the higher number is later.
   * @example 990
   */
  sequence: number;
  /**
   * `pending → delivered` or `failed`; redelivered: `pending`.
   */
  status: 'pending' | 'delivered' | 'failed';
  /**
   * How many there were.
   * @example 1
   */
  attempts: number;
  /**
   * While it is pending: when the next attempt is due; while one is under way, when it counts as lost.
   * @example 2026-11-21T09:30:00.000Z
   */
  nextAttemptAt: string | null;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When the receiver took it.
   * @example 2026-11-21T09:30:00.000Z
   */
  deliveredAt: string | null;
  /**
   * What the receiver answered last.
   * @example 204
   */
  lastStatusCode: number | null;
  /**
   * Why the last attempt failed.
   * @example no answer in time
   */
  lastError: string | null;
}
/** A delivery with what it carries and all its attempts. */
export interface WebhookDeliveryWithLog {
  /**
   * The delivery’s id, the same at every attempt.
   * @example 1207
   */
  id: number;
  /**
   * Where it goes.
   * @example 4
   */
  webhookId: number;
  /**
   * What has happened.
   */
  type:
    | 'opportunity.created'
    | 'opportunity.merged'
    | 'engagement.created'
    | 'transaction.created'
    | 'transaction.refunded'
    | 'conversion.created'
    | 'conversion.approved'
    | 'conversion.rejected'
    | 'obligation.created'
    | 'obligation.pending'
    | 'obligation.fulfilled'
    | 'obligation.rejected'
    | 'fulfillment.created'
    | 'fulfillment.updated'
    | 'payout.created'
    | 'payout.paid'
    | 'payout.flagged'
    | 'payout.resolved'
    | 'collaborator.created'
    | 'collaborator.updated'
    | 'program.created'
    | 'program.updated'
    | 'webhook.paused'
    | 'sale.created'
    | 'refund.created'
    | 'lead.created'
    | 'renewal.created'
    | 'coupon.applied'
    | 'engagement.awarded'
    | 'engagement.completed'
    | 'conversion.renewed'
    | 'transaction.completed'
    | 'opportunity.invalidated'
    | 'collaborator.registered'
    | 'obligation.completed'
    | 'webhook.test';
  /**
   * To what: the `id` of its `data`.
   * @example 61
   */
  resourceId: number;
  /**
   * Of two about one resource, the one with the higher number is later.
   * @example 990
   */
  sequence: number;
  /**
   * `pending → delivered` or `failed`; redelivered: `pending`.
   */
  status: 'pending' | 'delivered' | 'failed';
  /**
   * How many there were.
   * @example 1
   */
  attempts: number;
  /**
   * While it is pending: when the next attempt is due; while one is under way, when it counts as lost.
   * @example 2026-11-21T09:30:00.000Z
   */
  nextAttemptAt: string | null;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When the receiver took it.
   * @example 2026-11-21T09:30:00.000Z
   */
  deliveredAt: string | null;
  /**
   * What the receiver answered last.
   * @example 204
   */
  lastStatusCode: number | null;
  /**
   * Why the last attempt failed.
   * @example no answer in time
   */
  lastError: string | null;
  /** The body that is sent. */
  payload: {
    /**
     * What has happened.
     */
    type:
      | 'opportunity.created'
      | 'opportunity.merged'
      | 'engagement.created'
      | 'transaction.created'
      | 'transaction.refunded'
      | 'conversion.created'
      | 'conversion.approved'
      | 'conversion.rejected'
      | 'obligation.created'
      | 'obligation.pending'
      | 'obligation.fulfilled'
      | 'obligation.rejected'
      | 'fulfillment.created'
      | 'fulfillment.updated'
      | 'payout.created'
      | 'payout.paid'
      | 'payout.flagged'
      | 'payout.resolved'
      | 'collaborator.created'
      | 'collaborator.updated'
      | 'program.created'
      | 'program.updated'
      | 'webhook.paused'
      | 'sale.created'
      | 'refund.created'
      | 'lead.created'
      | 'renewal.created'
      | 'coupon.applied'
      | 'engagement.awarded'
      | 'engagement.completed'
      | 'conversion.renewed'
      | 'transaction.completed'
      | 'opportunity.invalidated'
      | 'collaborator.registered'
      | 'obligation.completed'
      | 'webhook.test';
    /**
     * When it happened.
     * @example 2026-11-21T09:30:00.000Z
     */
    timestamp: string;
    /** The resource, as its GET shows it. */
    data: {
      [key: string]: unknown;
    };
    /**
     * The delivery’s id in digits.
     * @example 1207
     */
    deliveryId: string;
  };
  /** Every attempt, oldest first. */
  log: WebhookAttempt[];
}
/** A webhook with the secret that it was just given. */
export interface WebhookWithSecret {
  /**
   * The webhook’s id.
   * @example 4
   */
  id: number;
  /**
   * Where it sends.
   * @example https://shop.example/whence
   */
  url: string;
  /**
   * The same as `url`.
   * @example https://shop.example/whence
   */
  targetUrl: string;
  /**
   * What it is for.
   * @example Accounting
   */
  description: string | null;
  /**
   * Which messages it sends. `*` means all built-in types.
   * @example [
   *       "payout.paid"
   *     ]
   */
  events: (
    | '*'
    | 'opportunity.created'
    | 'opportunity.merged'
    | 'engagement.created'
    | 'transaction.created'
    | 'transaction.refunded'
    | 'conversion.created'
    | 'conversion.approved'
    | 'conversion.rejected'
    | 'obligation.created'
    | 'obligation.pending'
    | 'obligation.fulfilled'
    | 'obligation.rejected'
    | 'fulfillment.created'
    | 'fulfillment.updated'
    | 'payout.created'
    | 'payout.paid'
    | 'payout.flagged'
    | 'payout.resolved'
    | 'collaborator.created'
    | 'collaborator.updated'
    | 'program.created'
    | 'program.updated'
    | 'webhook.paused'
    | 'sale.created'
    | 'refund.created'
    | 'lead.created'
    | 'renewal.created'
    | 'coupon.applied'
    | 'engagement.awarded'
    | 'engagement.completed'
    | 'conversion.renewed'
    | 'transaction.completed'
    | 'opportunity.invalidated'
    | 'collaborator.registered'
    | 'obligation.completed'
  )[];
  /**
   * `active ⇄ paused`, either `→ deleted`. While it is paused deliveries wait.
   */
  status: 'active' | 'paused' | 'deleted';
  /** Why it is paused: somebody did it, it failed for three days, its receiver answered 410. */
  pausedReason: ('by-hand' | 'failing' | 'gone') | null;
  /**
   * Since when it is paused.
   * @example 2026-11-21T09:30:00.000Z
   */
  pausedAt: string | null;
  /**
   * The first failure since the last success.
   * @example 2026-11-21T09:30:00.000Z
   */
  failingSince: string | null;
  /**
   * Until then deliveries are signed with the secret before this one as well.
   * @example 2026-11-21T09:30:00.000Z
   */
  previousSecretUntil: string | null;
  /**
   * Since when.
   * @example 2026-11-21T09:30:00.000Z
   */
  createdAt: string;
  /**
   * When it was last changed.
   * @example 2026-11-21T09:30:00.000Z
   */
  updatedAt: string;
  /**
   * What deliveries are signed with. It is shown this once.
   * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
   */
  signingSecret: string;
}
export interface ListApiKeysQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'label' | '-label' | 'createdAt' | '-createdAt') | undefined;
  /**
   * Keys of this kind.
   */
  kind?: ('secret' | 'publishable') | undefined;
  /** Keys with this label. */
  label?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface ListCollaboratorsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'name' | '-name' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /**
   * Collaborators in this state.
   */
  status?: ('pending' | 'active' | 'inactive' | 'rejected' | 'deleted') | undefined;
  /**
   * What they are called.
   * @example Ada Lovelace
   */
  name?: string | undefined;
  /** Collaborators with this address. */
  email?: string | undefined;
  /**
   * A shorter name.
   * @example ada
   */
  nickname?: string | undefined;
  /** Collaborators with this user id. */
  userId?: (number | string) | undefined;
  /**
   * A part of the name, the nickname, the address or a current alias’ code, in upper or lower case.
   * @example ada
   */
  search?: string | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  ids?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
}
export interface ListAliasesQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'code' | '-code' | 'createdAt' | '-createdAt') | undefined;
  /**
   * `tracking` for links, `coupon` for codes, or one of your own.
   * @example tracking
   */
  type?: string | undefined;
  /**
   * The code. Compared without regard to case.
   * @example ada
   */
  code?: string | undefined;
  /**
   * Aliases in this state. Without it, the current ones.
   */
  status?: ('current' | 'retired') | undefined;
  /**
   * A part of the code, in upper or lower case.
   * @example ada
   */
  search?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface ListProgramsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'name' | '-name' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /**
   * What it is called.
   * @example Friends
   */
  name?: string | undefined;
  /**
   * Programs in this state.
   */
  status?: ('draft' | 'active' | 'inactive' | 'deleted') | undefined;
  /**
   * Of fixed amounts: they pay only for sales in it.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Who gets the credit when several referred the visitor.
   */
  attribution?: ('last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score') | undefined;
  /**
   * Who may earn: everyone, or those who are enrolled.
   */
  enrollment?: ('everyone' | 'selected') | undefined;
  /**
   * The group of which only one program pays.
   * @example 3
   */
  groupId?: number | undefined;
  /**
   * A part of the name or the description, in upper or lower case.
   * @example ada
   */
  search?: string | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  ids?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
}
export interface ListProgramVersionsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -version
   */
  sort?: ('version' | '-version' | 'createdAt' | '-createdAt') | undefined;
  /** This version. */
  version?: number | undefined;
  /**
   * Versions in which the program was in this state.
   */
  status?: ('draft' | 'active' | 'inactive' | 'deleted') | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface ListEnrollmentsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -collaboratorId
   */
  sort?: ('collaboratorId' | '-collaboratorId' | 'createdAt' | '-createdAt') | undefined;
  /**
   * The collaborator’s id.
   * @example 7
   */
  collaboratorId?: number | undefined;
  /**
   * Enrolments in this state. Without it, those that hold.
   */
  status?: ('enrolled' | 'removed') | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface ListProgramGroupsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'name' | '-name' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /**
   * What it is called.
   * @example Partners or friends
   */
  name?: string | undefined;
  /**
   * Whether the program with the newest or with the oldest engagement pays.
   */
  rule?: ('newest' | 'oldest') | undefined;
  /**
   * Groups in this state.
   */
  status?: ('active' | 'deleted') | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
}
export interface ListCustomEventsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'slug' | '-slug' | 'createdAt' | '-createdAt') | undefined;
  /**
   * The one with this slug.
   * @example quiz-done
   */
  slug?: string | undefined;
  /**
   * Custom events in this state.
   */
  status?: ('active' | 'deleted') | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface ListOpportunitiesQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt') | undefined;
  /**
   * Opportunities in this state.
   */
  status?: ('active' | 'merged' | 'invalid') | undefined;
  /** Opportunities of this user. */
  userId?: (number | string) | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface ListEngagementsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `firstAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'firstAt' | '-firstAt' | 'lastAt' | '-lastAt' | 'score' | '-score') | undefined;
  /**
   * The number of an opportunity, as a visit’s answer names it in its header.
   * @example 5214909912345678
   */
  opportunityId?: number | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  opportunityIds?: string | undefined;
  /** Engagements in this program. */
  programId?: number | undefined;
  /** Engagements of this collaborator. */
  collaboratorId?: number | undefined;
  /**
   * Engagements in this state.
   */
  status?: ('active' | 'complete' | 'invalid') | undefined;
  /**
   * Rows whose `firstAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  firstFrom?: string | undefined;
  /**
   * Rows whose `firstAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  firstUntil?: string | undefined;
  /**
   * Rows whose `lastAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  lastFrom?: string | undefined;
  /**
   * Rows whose `lastAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  lastUntil?: string | undefined;
}
export interface ListTransactionsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt' | 'occurredAt' | '-occurredAt' | 'total' | '-total') | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  ids?: string | undefined;
  /**
   * Transactions of this type.
   */
  type?: ('sale' | 'lead' | 'renewal') | undefined;
  /** Renewals of this sale. */
  renewsTransactionId?: number | undefined;
  /** Sales from this source. */
  source?: string | undefined;
  /** The sale of this order. */
  externalId?: string | undefined;
  /**
   * Sales in this state.
   */
  status?: ('complete' | 'refunded' | 'cancelled') | undefined;
  /**
   * Sales in this currency.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * The number of an opportunity, as a visit’s answer names it in its header.
   * @example 5214909912345678
   */
  opportunityId?: number | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  opportunityIds?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `occurredAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  occurredFrom?: string | undefined;
  /**
   * Rows whose `occurredAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  occurredUntil?: string | undefined;
  /**
   * Rows whose `refundedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  refundedFrom?: string | undefined;
  /**
   * Rows whose `refundedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  refundedUntil?: string | undefined;
}
export interface ListConversionsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'amount' | '-amount' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  ids?: string | undefined;
  /**
   * Conversions of this type.
   */
  type?: ('sale' | 'lead' | 'renewal' | 'manual') | undefined;
  /**
   * Conversions in this state. `expired` and `deleted` are states of other implementations: they give an empty list.
   */
  status?: ('pending' | 'approved' | 'rejected' | 'expired' | 'deleted') | undefined;
  /**
   * Conversions whose review stands so.
   */
  review?: ('none' | 'held' | 'resolved') | undefined;
  /** Conversions in this program. */
  programId?: number | undefined;
  /** Conversions of this collaborator. */
  collaboratorId?: number | undefined;
  /** Conversions by this claim. */
  engagementId?: number | undefined;
  /**
   * The number of an opportunity, as a visit’s answer names it in its header.
   * @example 5214909912345678
   */
  opportunityId?: number | undefined;
  /** Conversions on this sale. */
  transactionId?: number | undefined;
  /**
   * Conversions in this currency.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
}
export interface ListObligationsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'amount' | '-amount' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /** Owed for this conversion. */
  conversionId?: number | undefined;
  /** Owed to this collaborator. */
  collaboratorId?: number | undefined;
  /** In this payout. */
  payoutId?: number | undefined;
  /**
   * Obligations in this state. `complete` and `cancelled` are states of other implementations: they give an empty list.
   */
  status?: ('draft' | 'pending' | 'fulfilled' | 'rejected' | 'complete' | 'cancelled') | undefined;
  /**
   * Obligations in this currency.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
}
export interface ListFulfillmentsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /**
   * Runs in this state.
   */
  status?: ('pending' | 'processing' | 'complete' | 'failed') | undefined;
  /**
   * Runs in this currency.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
}
export interface ListPayoutsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'amount' | '-amount' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  ids?: string | undefined;
  /**
   * Payouts of this run.
   * @example 71
   */
  fulfillmentId?: number | undefined;
  /** Payouts to this collaborator. */
  collaboratorId?: number | undefined;
  /**
   * Payouts in this state. `processing` and `failed` are states of other implementations: they give an empty list.
   */
  status?: ('unpaid' | 'paid' | 'void' | 'processing' | 'failed') | undefined;
  /**
   * Payouts in this state of review.
   */
  review?: ('none' | 'flagged' | 'resolved') | undefined;
  /**
   * Payouts in this currency.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
  /**
   * Rows whose `paidAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  paidFrom?: string | undefined;
  /**
   * Rows whose `paidAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  paidUntil?: string | undefined;
}
export interface MarkPayoutsAnswerRow {
  /**
   * The payout’s id.
   * @example 61
   */
  id: number;
  /**
   * What became of it; `unchanged`: it was so already.
   */
  outcome: 'changed' | 'unchanged' | 'under-review' | 'invalid-transition' | 'not-found';
  /**
   * The state it is in now.
   */
  status?: ('unpaid' | 'paid' | 'void') | undefined;
}
export interface ReviewManyPayoutsAnswerRow {
  /**
   * The payout’s id.
   * @example 61
   */
  id: number;
  /**
   * What became of it; `unchanged`: it was so already.
   */
  outcome: 'changed' | 'unchanged' | 'precondition-failed' | 'invalid-transition' | 'not-found';
  /**
   * The state it is in now.
   */
  status?: ('unpaid' | 'paid' | 'void') | undefined;
}
export interface ListBalancesQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending.
   * @default -id
   */
  sort?:
    | (
        | 'id'
        | '-id'
        | 'balance'
        | '-balance'
        | 'draft'
        | '-draft'
        | 'pending'
        | '-pending'
        | 'inPayout'
        | '-inPayout'
        | 'paid'
        | '-paid'
      )
    | undefined;
  /** The balances of this collaborator. */
  collaboratorId?: number | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  collaboratorIds?: string | undefined;
  /**
   * Balances in this currency.
   * @example USD
   */
  currency?: string | undefined;
}
export interface GetStatementQuery {
  /**
   * Entries from this moment on; without it from the beginning.
   * @example 2027-01-31T00:00:00Z
   */
  from?: string | undefined;
  /**
   * Entries before this moment; without it up to now.
   * @example 2027-01-31T00:00:00Z
   */
  to?: string | undefined;
  /**
   * This currency only.
   * @example USD
   */
  currency?: string | undefined;
}
export interface DownloadStatementQuery {
  /**
   * Entries from this moment on; without it from the beginning.
   * @example 2027-01-31T00:00:00Z
   */
  from?: string | undefined;
  /**
   * Entries before this moment; without it up to now.
   * @example 2027-01-31T00:00:00Z
   */
  to?: string | undefined;
  /**
   * This currency only.
   * @example USD
   */
  currency?: string | undefined;
}
export interface ListLedgerEntriesQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `occurredAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'occurredAt' | '-occurredAt') | undefined;
  /** Entries of this collaborator. */
  collaboratorId?: number | undefined;
  /**
   * Entries in this currency.
   * @example USD
   */
  currency?: string | undefined;
  /** Entries of this obligation. */
  obligationId?: number | undefined;
  /** Entries of this payout. */
  payoutId?: number | undefined;
  /**
   * Entries of this kind.
   */
  kind?: ('award' | 'approve' | 'reject' | 'reduce' | 'fulfil' | 'release' | 'pay' | 'unpay' | 'claw-back') | undefined;
  /**
   * Rows whose `occurredAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  occurredFrom?: string | undefined;
  /**
   * Rows whose `occurredAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  occurredUntil?: string | undefined;
}
export interface GetLedgerCheckpointQuery {
  /**
   * An earlier one, to compare with what was kept.
   * @example 12
   */
  number?: number | undefined;
}
export interface ListEventsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `occurredAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'occurredAt' | '-occurredAt') | undefined;
  /**
   * Events of this type.
   */
  type?:
    | (
        | 'SiteVisited'
        | 'CouponApplied'
        | 'CustomTriggered'
        | 'SaleTriggered'
        | 'LeadTriggered'
        | 'RenewalTriggered'
        | 'RefundTriggered'
        | 'CreditGranted'
      )
    | undefined;
  /** Events from this source. */
  source?: string | undefined;
  /**
   * The number of an opportunity, as a visit’s answer names it in its header.
   * @example 5214909912345678
   */
  opportunityId?: number | undefined;
  /** Events of this transaction. */
  transactionId?: number | undefined;
  /**
   * Events in this state.
   */
  state?: ('done' | 'pending' | 'parked') | undefined;
  /**
   * Rows whose `occurredAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  occurredFrom?: string | undefined;
  /**
   * Rows whose `occurredAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  occurredUntil?: string | undefined;
}
export interface GetFiguresQuery {
  /**
   * The first day, in UTC.
   * @example 2026-09-01
   */
  from: string;
  /**
   * The day after the last one: at most 400 days after the first.
   * @example 2026-10-01
   */
  until: string;
  /**
   * A row for each day, collaborator, program, source of sales, link (an alias by which visitors came), or one for all.
   */
  by: 'day' | 'collaborator' | 'program' | 'source' | 'link' | 'total';
  /** What is this collaborator’s. */
  collaboratorId?: number | undefined;
  /** What is this program’s. */
  programId?: number | undefined;
  /** What was sold at this source. Visits have none: they are null. */
  source?: string | undefined;
  /**
   * Rows with the highest of this come first, and of as much those with the highest revenue. `conversion-rate`: sales for each visit; without visits last. Days stay in their order.
   * @default revenue
   */
  highest?: ('revenue' | 'earned' | 'visits' | 'leads' | 'sales' | 'conversion-rate') | undefined;
  /**
   * In which `revenue` and `earned` are compared; unless given the one in which most is sold.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Rows at most; `rest` adds up what is beyond. Days are all told.
   * @default 100
   * @example 100
   */
  limit?: number | undefined;
}
export interface ListWebhooksQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /**
   * Webhooks in this state.
   */
  status?: ('active' | 'paused' | 'deleted') | undefined;
  /** Webhooks with this URL. */
  url?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
}
export interface ListWebhookDeliveriesQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt') | undefined;
  /**
   * Deliveries in this state.
   */
  status?: ('pending' | 'delivered' | 'failed') | undefined;
  /**
   * Deliveries of this type.
   */
  type?:
    | (
        | 'opportunity.created'
        | 'opportunity.merged'
        | 'engagement.created'
        | 'transaction.created'
        | 'transaction.refunded'
        | 'conversion.created'
        | 'conversion.approved'
        | 'conversion.rejected'
        | 'obligation.created'
        | 'obligation.pending'
        | 'obligation.fulfilled'
        | 'obligation.rejected'
        | 'fulfillment.created'
        | 'fulfillment.updated'
        | 'payout.created'
        | 'payout.paid'
        | 'payout.flagged'
        | 'payout.resolved'
        | 'collaborator.created'
        | 'collaborator.updated'
        | 'program.created'
        | 'program.updated'
        | 'webhook.paused'
        | 'sale.created'
        | 'refund.created'
        | 'lead.created'
        | 'renewal.created'
        | 'coupon.applied'
        | 'engagement.awarded'
        | 'engagement.completed'
        | 'conversion.renewed'
        | 'transaction.completed'
        | 'opportunity.invalidated'
        | 'collaborator.registered'
        | 'obligation.completed'
        | 'webhook.test'
      )
    | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface RedeliverAnswerRow {
  /**
   * The delivery’s id.
   * @example 1207
   */
  id: number;
  /**
   * Whether it goes out again.
   */
  outcome: 'queued' | 'not-found';
}
export interface ListAuditEntriesQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `at` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'at' | '-at') | undefined;
  /**
   * Entries of this operation.
   * @example changeProgram
   */
  operation?: string | undefined;
  /**
   * Entries by this author.
   * @example key 3
   */
  author?: string | undefined;
  /**
   * Entries of calls on exactly this path.
   * @example /v1/programs/5
   */
  path?: string | undefined;
  /**
   * Rows whose `at` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  from?: string | undefined;
  /**
   * Rows whose `at` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  until?: string | undefined;
}
export interface ListPeopleQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'name' | '-name' | 'createdAt' | '-createdAt') | undefined;
  /**
   * People in this state; the active ones unless told.
   */
  status?: ('active' | 'removed') | undefined;
  /**
   * People with this role.
   */
  role?: ('owner' | 'manager' | 'viewer') | undefined;
  /** The person with this address. */
  email?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface ListInvitationsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt') | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
/**
 * WebAuthn’s `PublicKeyCredentialRequestOptionsJSON`.
 * @example {
 *       "challenge": "Qm9hdHMgYXJlIG5pY2U",
 *       "rpId": "whence.example.com",
 *       "timeout": 300000,
 *       "userVerification": "required"
 *     }
 */
export interface ChallengeSessionAnswer {
  [key: string]: unknown;
}
export interface ListSessionsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending.
   * @default -id
   */
  sort?: ('id' | '-id') | undefined;
}
export interface ListPasskeysQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending.
   * @default -id
   */
  sort?: ('id' | '-id') | undefined;
}
/**
 * WebAuthn’s `PublicKeyCredentialCreationOptionsJSON`.
 * @example {
 *       "challenge": "Qm9hdHMgYXJlIG5pY2U",
 *       "rp": {
 *         "name": "Whence"
 *       },
 *       "user": {
 *         "name": "ada@example.com",
 *         "displayName": "Ada Lovelace"
 *       },
 *       "pubKeyCredParams": [
 *         {
 *           "type": "public-key",
 *           "alg": -7
 *         }
 *       ]
 *     }
 */
export interface ChallengePasskeyAnswer {
  [key: string]: unknown;
}
export interface ListSignUpsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt') | undefined;
  /** For this program. */
  programId?: number | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
/**
 * WebAuthn’s `PublicKeyCredentialRequestOptionsJSON`.
 * @example {
 *       "challenge": "Qm9hdHMgYXJlIG5pY2U",
 *       "rpId": "whence.example.com",
 *       "timeout": 300000,
 *       "userVerification": "required"
 *     }
 */
export interface ChallengePortalSessionAnswer {
  [key: string]: unknown;
}
export interface ListPortalSessionsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending.
   * @default -id
   */
  sort?: ('id' | '-id') | undefined;
}
export interface ListPortalPasskeysQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending.
   * @default -id
   */
  sort?: ('id' | '-id') | undefined;
}
/**
 * WebAuthn’s `PublicKeyCredentialCreationOptionsJSON`.
 * @example {
 *       "challenge": "Qm9hdHMgYXJlIG5pY2U",
 *       "rp": {
 *         "name": "Whence"
 *       },
 *       "user": {
 *         "name": "ada@example.com",
 *         "displayName": "Ada Lovelace"
 *       },
 *       "pubKeyCredParams": [
 *         {
 *           "type": "public-key",
 *           "alg": -7
 *         }
 *       ]
 *     }
 */
export interface ChallengePortalPasskeyAnswer {
  [key: string]: unknown;
}
export interface ListPortalConversionsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by that time come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt') | undefined;
  /**
   * Those with these ids, with commas between, at most 100; deleted ones too.
   * @example 7,8
   */
  ids?: string | undefined;
  /**
   * Conversions in this state.
   */
  status?: ('pending' | 'approved' | 'rejected') | undefined;
  /**
   * Conversions in this currency.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
  /**
   * Rows whose `updatedAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  updatedFrom?: string | undefined;
  /**
   * Rows whose `updatedAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  updatedUntil?: string | undefined;
}
export interface GetPortalFiguresQuery {
  /**
   * The first day, in UTC.
   * @example 2026-09-01
   */
  from: string;
  /**
   * The day after the last one: at most 400 days after the first.
   * @example 2026-10-01
   */
  until: string;
  /**
   * What each row stands for.
   */
  by: 'day' | 'link' | 'total';
}
export interface ListPortalPayoutsQuery {
  /**
   * Which page, up to 10,000 rows from the first. For longer walks follow `Link`.
   * @default 1
   * @example 1
   */
  page?: number | undefined;
  /**
   * Rows on a page.
   * @default 25
   * @example 25
   */
  perPage?: number | undefined;
  /** Where to go on, as the `Link` of the page before says. */
  after?: string | undefined;
  /**
   * The field to sort by, with `-` for descending. Of a range of time and without a sort, the newest by `createdAt` come first.
   * @default -id
   */
  sort?: ('id' | '-id' | 'createdAt' | '-createdAt') | undefined;
  /**
   * Payouts in this state.
   */
  status?: ('unpaid' | 'paid' | 'void') | undefined;
  /**
   * Payouts in this currency.
   * @example USD
   */
  currency?: string | undefined;
  /**
   * Rows whose `createdAt` is this moment or later.
   * @example 2027-01-31T00:00:00Z
   */
  createdFrom?: string | undefined;
  /**
   * Rows whose `createdAt` is before this moment.
   * @example 2027-01-31T00:00:00Z
   */
  createdUntil?: string | undefined;
}
export interface GetPortalStatementQuery {
  /**
   * Entries from this moment on; without it from the beginning.
   * @example 2027-01-31T00:00:00Z
   */
  from?: string | undefined;
  /**
   * Entries before this moment; without it up to now.
   * @example 2027-01-31T00:00:00Z
   */
  to?: string | undefined;
  /**
   * This currency only.
   * @example USD
   */
  currency?: string | undefined;
}
export interface DownloadPortalStatementQuery {
  /**
   * Entries from this moment on; without it from the beginning.
   * @example 2027-01-31T00:00:00Z
   */
  from?: string | undefined;
  /**
   * Entries before this moment; without it up to now.
   * @example 2027-01-31T00:00:00Z
   */
  to?: string | undefined;
  /**
   * This currency only.
   * @example USD
   */
  currency?: string | undefined;
}
