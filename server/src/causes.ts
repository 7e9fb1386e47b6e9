import type { RegisterRequest } from '@hourshare/contract/sign-ins';
import type { Bill } from '@hourshare/contract/assets';
import type { Plan } from './features/assets/plans/rules.ts';
import type { PeriodTerms } from './features/periods/rules.ts';
import type { Client } from './platform/http/client.ts';

/** A username and its replacement. */
export interface Names {
  from: string;
  to: string;
}

/**
 * What happens in a feature and has consequences in features above it: reactions.ts lists them. A feature announces it in
 * its own transaction, so that imports never point upward and related changes commit together.
 */
export interface Causes {
  /** Someone asks for an account through an invitation; a reaction that throws Undone refuses before names are compared. */
  registering: { invitation: string };
  /** An account was just created; a reaction that throws Undone keeps it from being so. */
  userRegistered: { userId: number } & Pick<Partial<RegisterRequest>, 'invitation' | 'seen' | 'claim'>;
  /** An account was just disabled. */
  accountDisabled: { userId: number; now: Date };
  /**
   * An account is about to be deleted. Its row is locked; `standInId` is the user who takes over what others still need. If `names` is
   * set, others no longer see its name. Reactions add the users who still see the account to `seenBy`; without any, no one needs
   * the name.
   */
  accountDeleting: { userId: number; standInId: number; names: Names | undefined; seenBy: Set<number> };
  /** A user has just set a new password with a link that was sent to them, which ends everything that gives access to the account. */
  passwordReset: { userId: number; by: Client };
  /** A person without an account is about to become a member, who then has their shares. */
  guestClaimed: { guestId: number; memberId: number; accepted: boolean };
  assetAdded: {
    assetId: number;
    ownerId: number;
    timeZone: string;
    /** Of a cycle of the plan, if there is one; otherwise of a month. */
    priceCents: number;
    plan: Plan | null;
    terms: Partial<PeriodTerms>;
  };
  /** An owner's asset is about to change; its row is locked, and only changed fields are given. */
  assetChanging: {
    assetId: number;
    actorId: number;
    /** Whether a co-manager makes the change; a reaction that throws Undone reserves it for the owner. */
    byManager: boolean;
    name?: string;
    timeZone?: string;
    /** In minor units of the currency that the asset has afterwards. */
    priceCents?: number;
    currency?: { from: string; to: string };
    plan?: Plan | null;
    /** Whether it ends on another day than before, which is stored already. */
    endsOtherwise?: boolean;
    terms?: Partial<PeriodTerms>;
  };
  /** The terms of an asset's running month were just changed; its row is locked. */
  termsChanged: { assetId: number };
  /** A month may have begun, in any time zone. */
  monthsStarted: Record<string, never>;
  /** Days from the first of a month on, `YYYY-MM-DD`, start and end at different times. */
  periodsMoved: { assetId: number; fromMonth: string };
  /**
   * An asset was archived, by default now, or a new choice was made of what to bill for the current period of an archived one.
   */
  assetArchived: { assetId: number; bill?: Bill; since?: Date };
  /** Emitted before the asset is restored, so that the months it spent archived can be told apart. */
  assetRestoring: { assetId: number; actorId: number };
  /** An asset was just marked as deleted; its row is locked, and everything in it ends at that instant. */
  assetDeleted: { assetId: number; bill?: Bill; now: Date };
  /** A member just accepted an offer, which showed them meters of its asset. */
  offerAccepted: { shareId: number; meterIds: number[] };
  /** Shares or offers just ended, on their own or with their asset; their rows say when. */
  sharesEnded: { shareIds: number[]; cause: 'access' | 'asset' };
}

/** Runs the consequences of a cause one after another, in the order of reactions.ts. */
export type React<Deps> = <Cause extends keyof Causes>(deps: Deps, cause: Cause, facts: Causes[Cause]) => Promise<void>;
