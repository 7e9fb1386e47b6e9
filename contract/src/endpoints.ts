import { z } from 'zod';
import {
  ChangePasswordRequest,
  LoginRequest,
  LogoutRequest,
  RefreshRequest,
  RegisterRequest,
  SignedIn,
  TokenPair,
  UpdateMeRequest,
  User,
} from './accounts.ts';
import { Analytics, AnalyticsQuery, AssetAnalytics } from './analytics.ts';
import { CreateAssetRequest, OwnedAsset, OwnedAssetList, UpdateAssetRequest } from './assets.ts';
import {
  SplitPreviewList,
  SplitPreviewRequest,
  Statement,
  MarkedLine,
  StatementList,
  StatementsQuery,
} from './statements.ts';
import { BalanceList, MarkLineRequest, Settlement, SettlementList, SettleRequest } from './settlements.ts';
import { PriceList, SetPriceRequest } from './periods.ts';
import { Format, Month, PageOrFileQuery, PageQuery, PathId } from './fields.ts';
import { AssetHistory, FindingList } from './insights.ts';
import {
  CorrectSessionRequest,
  EndSessionRequest,
  LogsQuery,
  MemberSessionList,
  Session,
  SessionList,
} from './sessions.ts';
import { SharedAsset, SharedAssetList, ShareRequest, UpdateShareRequest } from './shares.ts';

const Empty = z.undefined();
const ById = z.strictObject({ id: PathId });
const ByShare = z.strictObject({ id: PathId, share_id: PathId });
const BySession = z.strictObject({ id: PathId, session_id: PathId });
const AnyFormat = z.strictObject({ format: Format });
const ByMonth = z.strictObject({ id: PathId, month: Month });
/** An e-mail or web address, where the server has been given one. */
const About = z.object({ contact: z.string().nullable() }).meta({ id: 'About' });

/** One call: who may make it, what it takes, and its answers by status. Errors all have the one shape of errors.ts. */
export interface Endpoint {
  summary: string;
  /** Callable without an access token. */
  public?: true;
  /** Honours `Idempotency-Key`: it creates something that must not be created twice. */
  creates?: true;
  /** Can be asked for as a file too: its query takes `format`. */
  csv?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  /** A request without a body counts as one with an empty object. */
  body?: z.ZodType;
  answers: Partial<Record<200 | 201 | 204, z.ZodType>>;
}

/** The one table of calls, keyed by method and path; the server routes by it and the web client is typed by it. */
export const endpoints = {
  'GET /api/about/': {
    summary: 'How to reach whoever runs this server',
    public: true,
    answers: { 200: About },
  },
  'POST /api/register/': {
    summary: 'Create an account and sign in',
    public: true,
    body: RegisterRequest,
    answers: { 201: SignedIn },
  },
  'POST /api/login/': {
    summary: 'Sign in',
    public: true,
    body: LoginRequest,
    answers: { 200: SignedIn },
  },
  'POST /api/token/refresh/': {
    summary: 'Replace a refresh token and get a fresh access token',
    public: true,
    body: RefreshRequest,
    answers: { 200: TokenPair },
  },
  'POST /api/logout/': {
    summary: 'End the sign-in that a refresh token belongs to',
    public: true,
    body: LogoutRequest,
    answers: { 204: Empty },
  },
  'GET /api/me/': { summary: 'The signed-in user', answers: { 200: User } },
  'PATCH /api/me/': {
    summary: 'Change the email address (with the current password), the time zone, or what is sent by email',
    body: UpdateMeRequest,
    answers: { 200: User },
  },
  'POST /api/me/password/': {
    summary: 'Change the password; every other sign-in ends',
    body: ChangePasswordRequest,
    answers: { 204: Empty },
  },
  'GET /api/assets/': {
    summary: 'Owned assets with the members they are shared with',
    query: PageQuery,
    answers: { 200: OwnedAssetList },
  },
  'POST /api/assets/': {
    summary: 'Add an asset',
    creates: true,
    body: CreateAssetRequest,
    answers: { 201: OwnedAsset },
  },
  'GET /api/assets/{id}/': { summary: 'One owned asset', params: ById, answers: { 200: OwnedAsset } },
  'PATCH /api/assets/{id}/': {
    summary: 'Change an owned asset',
    params: ById,
    body: UpdateAssetRequest,
    answers: { 200: OwnedAsset },
  },
  'DELETE /api/assets/{id}/': {
    summary: 'Delete an owned asset with its shares and their sessions',
    params: ById,
    answers: { 204: Empty },
  },
  'GET /api/assets/{id}/sessions/': {
    summary: 'Sessions of all members of an owned asset, newest first',
    csv: true,
    params: ById,
    query: LogsQuery,
    answers: { 200: MemberSessionList },
  },
  'GET /api/assets/{id}/analytics/': {
    summary: 'Use of an owned asset in one usage month, in all and by member',
    csv: true,
    params: ById,
    query: AnalyticsQuery,
    answers: { 200: AssetAnalytics },
  },
  'GET /api/assets/{id}/history/': {
    summary: 'The last twelve months of an owned asset, and what may be learnt from them',
    csv: true,
    params: ById,
    query: AnyFormat,
    answers: { 200: AssetHistory },
  },
  'GET /api/findings/': {
    summary: 'What may be learnt from the last months of all assets of the caller, by currency, the most costly first',
    query: PageQuery,
    answers: { 200: FindingList },
  },
  'POST /api/assets/{id}/share/': {
    summary: 'Share an owned asset with a user; answers the whole updated asset',
    creates: true,
    params: ById,
    body: ShareRequest,
    answers: { 201: OwnedAsset },
  },
  'PATCH /api/assets/{id}/share/{share_id}/': {
    summary: 'Change the monthly hours of a member; answers the whole updated asset',
    params: ByShare,
    body: UpdateShareRequest,
    answers: { 200: OwnedAsset },
  },
  'DELETE /api/assets/{id}/share/{share_id}/': {
    summary: 'End a share and the session that runs on it; answers the whole updated asset',
    params: ByShare,
    answers: { 200: OwnedAsset },
  },
  'GET /api/shared-assets/': {
    summary: 'Assets shared with the caller',
    query: PageQuery,
    answers: { 200: SharedAssetList },
  },
  'GET /api/shared-assets/{id}/': {
    summary: 'One asset shared with the caller',
    params: ById,
    answers: { 200: SharedAsset },
  },
  'POST /api/shared-assets/{id}/start/': {
    summary: 'Start a session',
    creates: true,
    params: ById,
    answers: { 201: Session },
  },
  'POST /api/shared-assets/{id}/end/': {
    summary: 'End the active session',
    params: ById,
    body: EndSessionRequest,
    answers: { 200: Session },
  },
  'GET /api/shared-assets/{id}/logs/': {
    summary: 'Sessions of a share, newest first',
    csv: true,
    params: ById,
    query: LogsQuery,
    answers: { 200: SessionList },
  },
  'PATCH /api/shared-assets/{id}/logs/{session_id}/': {
    summary: 'Correct the start or end of an own session while its months are open',
    params: BySession,
    body: CorrectSessionRequest,
    answers: { 200: Session },
  },
  'DELETE /api/shared-assets/{id}/logs/{session_id}/': {
    summary: 'Remove an own session while its months are open',
    params: BySession,
    answers: { 204: Empty },
  },
  'GET /api/shared-assets/{id}/active-session/': {
    summary: 'The active session, or 204 when there is none',
    params: ById,
    answers: { 200: Session, 204: Empty },
  },
  'GET /api/shared-assets/{id}/analytics/': {
    summary: 'Use of one share in one usage month',
    csv: true,
    params: ById,
    query: AnalyticsQuery,
    answers: { 200: Analytics },
  },
  'GET /api/assets/{id}/prices/': {
    summary: 'What an owned asset costs, from which month on, oldest first',
    params: ById,
    query: PageQuery,
    answers: { 200: PriceList },
  },
  'POST /api/assets/{id}/prices/': {
    summary: 'Set what an owned asset costs from a month on that is not closed; answers all prices',
    creates: true,
    params: ById,
    body: SetPriceRequest,
    answers: { 201: PriceList },
  },
  'GET /api/assets/{id}/statements/': {
    summary: 'Statements of an asset, the running month first: to the owner with every line, to a member with theirs',
    csv: true,
    params: ById,
    query: PageOrFileQuery,
    answers: { 200: StatementList },
  },
  'GET /api/assets/{id}/statements/{month}/': {
    summary: 'The statement of one month; an estimate until it is closed',
    csv: true,
    params: ByMonth,
    query: AnyFormat,
    answers: { 200: Statement },
  },
  'POST /api/assets/{id}/statements/{month}/close/': {
    summary: 'Close an ended month, and any before it, before the 72 hours for corrections are over',
    params: ByMonth,
    answers: { 200: Statement },
  },
  'POST /api/assets/{id}/split-preview/': {
    summary:
      'What other ways to split would come to, for the running month and the last three with use; changes nothing',
    params: ById,
    body: SplitPreviewRequest,
    answers: { 200: SplitPreviewList },
  },
  'GET /api/statements/': {
    summary:
      'Statements of one month for all assets that the caller owns or has used; without a month, the current one',
    csv: true,
    query: StatementsQuery,
    answers: { 200: StatementList },
  },
  'POST /api/statement-lines/{id}/mark/': {
    summary: 'Mark a closed line: sent by the member, paid by the owner, or back',
    params: ById,
    body: MarkLineRequest,
    answers: { 200: MarkedLine },
  },
  'GET /api/balances/': {
    summary: 'What the caller and each other user owe one another, by currency, with the lines behind it',
    csv: true,
    query: PageOrFileQuery,
    answers: { 200: BalanceList },
  },
  'GET /api/settlements/': {
    summary: 'Settlements of the caller, newest first',
    csv: true,
    query: PageOrFileQuery,
    answers: { 200: SettlementList },
  },
  'POST /api/settlements/': {
    summary: 'Record that two users have settled; clears the open lines between them',
    creates: true,
    body: SettleRequest,
    answers: { 201: Settlement },
  },
} as const satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}/`, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointKey = keyof Endpoints;
