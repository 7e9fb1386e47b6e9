import { z } from 'zod';
import { ById, type EndpointTable, NoContent } from './calls.ts';
import { claimAnswer, Id, Instant, InvitationToken, nameUpTo, SeenOffer } from './fields.ts';
import { asciiFigures } from './figures.ts';
import {
  CODE_MAX_LENGTH,
  DEVICE_NAME_MAX_LENGTH,
  LINK_TOKEN_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PROVIDER_ANSWER_MAX_LENGTH,
} from './limits.ts';
import { issue } from './sentences.ts';
import { Email, Language, TimeZone, User, Username } from './users.ts';

/** The server's settings decide what else a new password needs; none of them changes this bound. */
const NewPassword = z
  .string({ error: issue('password_required') })
  .min(1, { error: issue('password_required'), abort: true })
  .max(PASSWORD_MAX_LENGTH, issue('password_too_long', { max: PASSWORD_MAX_LENGTH }));

/** Bytes as base64url. The limit allows for the longest certificate that an authenticator sends. */
const Bytes = z
  .string()
  .regex(/^[\w-]+$/)
  .max(24_000);
/** WebAuthn allows 1,023 bytes. */
const CredentialId = z
  .string()
  .regex(/^[\w-]+$/)
  .max(1400);
const PUBLIC_KEY = z.literal('public-key');

// The result of a browser's `toJSON()` of a credential. Unneeded fields are ignored, because new browsers add
// new ones.

/** A passkey that was just created: WebAuthn's RegistrationResponseJSON. */
export const NewPasskey = z
  .object({
    id: CredentialId,
    rawId: CredentialId,
    type: PUBLIC_KEY,
    response: z.object({
      clientDataJSON: Bytes,
      attestationObject: Bytes,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .optional(),
    }),
  })
  .meta({ id: 'NewPasskey' });
export type NewPasskey = z.infer<typeof NewPasskey>;

/** Proof of possession of a passkey: WebAuthn's AuthenticationResponseJSON. */
export const PasskeyProof = z
  .object({
    id: CredentialId,
    rawId: CredentialId,
    type: PUBLIC_KEY,
    response: z.object({
      clientDataJSON: Bytes,
      authenticatorData: Bytes,
      signature: Bytes,
      userHandle: z.string().max(100).nullish(),
    }),
  })
  .meta({ id: 'PasskeyProof' });
export type PasskeyProof = z.infer<typeof PasskeyProof>;

const Credentials = z.array(z.object({ id: z.string(), type: PUBLIC_KEY, transports: z.array(z.string()) }));

/** What a browser needs to create a passkey: WebAuthn's PublicKeyCredentialCreationOptionsJSON. */
export const NewPasskeyOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: PUBLIC_KEY })),
    timeout: z.int(),
    attestation: z.literal('none'),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    /** The user's passkeys, so that a device doesn't create a second one. */
    excludeCredentials: Credentials,
  })
  .meta({ id: 'NewPasskeyOptions' });
export type NewPasskeyOptions = z.infer<typeof NewPasskeyOptions>;

/** What a browser needs to use a passkey: WebAuthn's PublicKeyCredentialRequestOptionsJSON. */
export const PasskeyProofOptions = z
  .object({
    rpId: z.string(),
    challenge: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    /** The passkeys of the user who is asked; empty to allow anyone's. */
    allowCredentials: Credentials,
  })
  .meta({ id: 'PasskeyProofOptions' });
export type PasskeyProofOptions = z.infer<typeof PasskeyProofOptions>;

/** A new account, for any way to sign in. */
const NewAccount = z.strictObject({
  username: Username,
  email: Email,
  time_zone: TimeZone.optional(),
  language: Language.optional(),
  /** The token of an invitation, which is accepted at the same time. */
  invitation: InvitationToken.optional(),
  /** What the invitation said when it was shown. If it costs more by now, no account is created. */
  seen: SeenOffer.optional(),
  /** The link to claim what was recorded in the user's name, which is claimed at the same time. */
  claim: z.strictObject({ token: InvitationToken, ...claimAnswer }).optional(),
});

export const RegisterRequest = NewAccount.extend({
  password: NewPassword.optional(),
  /** Instead of a password, created with the answer of `POST /api/register/passkey/options/`. */
  passkey: NewPasskey.optional(),
})
  .refine(({ password, passkey }) => password !== undefined || passkey !== undefined, {
    path: ['password'],
    error: issue('password_required'),
    // Also checked if other fields are wrong, so that all problems are reported at once.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .refine(({ password, passkey }) => password === undefined || passkey === undefined, {
    path: ['passkey'],
    error: 'Send a password or a passkey, not both',
  })
  .meta({ id: 'RegisterRequest' });
export type RegisterRequest = z.infer<typeof RegisterRequest>;

/** A code of an authenticator app, or a recovery code, in digits of any script; spaces and hyphens are ignored. */
const Code = z
  .string({ error: issue('code_required') })
  .overwrite(asciiFigures)
  .trim()
  .min(1, issue('code_required'))
  .max(CODE_MAX_LENGTH, issue('wrong_code'));

// Accepts any username and password, so that impossible ones get the same answer as wrong ones.
export const LoginRequest = z
  .strictObject({
    username: z
      .string({ error: issue('username_required') })
      .trim()
      .min(1, issue('username_required')),
    password: z.string({ error: issue('password_required') }).min(1, issue('password_required')),
    /** Required if signing in takes two steps; the right password alone then gets `second_step_required`. */
    code: Code.optional(),
  })
  .meta({ id: 'LoginRequest' });
export type LoginRequest = z.infer<typeof LoginRequest>;

/** Omitted if the user has no password, or has just used a passkey. */
export const CurrentPassword = z
  .string({ error: issue('current_password_required') })
  .min(1, issue('current_password_required'))
  .optional();

export const ChangePasswordRequest = z
  .strictObject({
    current_password: CurrentPassword,
    new_password: NewPassword,
  })
  .meta({ id: 'ChangePasswordRequest' });
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>;

export const CheckRequest = z
  .strictObject({
    current_password: z
      .string({ error: issue('current_password_required') })
      .min(1, issue('current_password_required')),
    /** Required if signing in takes two steps; the right password alone then gets an error about this field. */
    code: Code.optional(),
  })
  .meta({ id: 'CheckRequest' });
export type CheckRequest = z.infer<typeof CheckRequest>;

export const Check = z
  .object({
    /** The ways in which the user can prove who they are. */
    methods: z.array(z.enum(['password', 'passkey', 'provider'])),
    /** Until when the last check is valid; null without a recent one. */
    expires_at: Instant.nullable(),
  })
  .meta({ id: 'Check' });
export type Check = z.infer<typeof Check>;

export const TwoStep = z
  .object({
    /** Since when signing in takes a code, too; null while it doesn't. */
    since: Instant.nullable(),
    recovery_codes_left: z.int(),
  })
  .meta({ id: 'TwoStep' });
export type TwoStep = z.infer<typeof TwoStep>;

/** Signing in takes its codes once the first one is confirmed. */
export const TwoStepKey = z
  .object({
    /** In base32, for typing. */
    key: z.string(),
    /** For a QR code: `otpauth://totp/…`. */
    address: z.string(),
  })
  .meta({ id: 'TwoStepKey' });
export type TwoStepKey = z.infer<typeof TwoStepKey>;

export const ConfirmTwoStepRequest = z.strictObject({ code: Code }).meta({ id: 'ConfirmTwoStepRequest' });
export type ConfirmTwoStepRequest = z.infer<typeof ConfirmTwoStepRequest>;

/** Each works once, instead of a code of the authenticator app. They are shown only once. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

const PasskeyName = nameUpTo(DEVICE_NAME_MAX_LENGTH).nullable();

export const AddPasskeyRequest = z
  .strictObject({ name: PasskeyName.optional(), passkey: NewPasskey })
  .meta({ id: 'AddPasskeyRequest' });
export type AddPasskeyRequest = z.infer<typeof AddPasskeyRequest>;

export const NamePasskeyRequest = z.strictObject({ name: PasskeyName }).meta({ id: 'NamePasskeyRequest' });

export const RegisterPasskeyRequest = z
  .strictObject({ username: Username, email: Email })
  .meta({ id: 'RegisterPasskeyRequest' });
export type RegisterPasskeyRequest = z.infer<typeof RegisterPasskeyRequest>;

export const UsePasskeyRequest = z.strictObject({ passkey: PasskeyProof }).meta({ id: 'UsePasskeyRequest' });

/** A key on a device or in a password manager that signs its user in without a password. */
export const Passkey = z
  .object({
    id: Id,
    /** The user's name for it; null until they name it. */
    name: z.string().nullable(),
    /** The browser and system that it was created with, if known: Firefox, Windows. */
    browser: z.string().nullable(),
    system: z.string().nullable(),
    /** Whether it is synced or backed up, so that losing one device doesn't lose it. */
    backed_up: z.boolean(),
    created_at: Instant,
    last_used_at: Instant.nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof Passkey>;

/** Few enough not to need pagination. */
export const Passkeys = z.object({ passkeys: z.array(Passkey) }).meta({ id: 'Passkeys' });

export const ResetRequest = z.strictObject({ email: Email }).meta({ id: 'ResetRequest' });

/** Any text is accepted; if it isn't a valid token, the link is reported as invalid. */
const LinkToken = z.string({ error: 'token is required' }).min(1, 'token is required').max(LINK_TOKEN_MAX_LENGTH);

export const ConfirmResetRequest = z
  .strictObject({ token: LinkToken, password: NewPassword })
  .meta({ id: 'ConfirmResetRequest' });
export type ConfirmResetRequest = z.infer<typeof ConfirmResetRequest>;

export const ConfirmEmailRequest = z.strictObject({ token: LinkToken }).meta({ id: 'ConfirmEmailRequest' });

export const SignedIn = z.object({ access: z.string(), refresh: z.string(), user: User }).meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof SignedIn>;

export const RefreshRequest = z
  .strictObject({ refresh: z.string({ error: 'refresh is required' }).min(1, 'refresh is required').max(512) })
  .meta({ id: 'RefreshRequest' });

export const TokenPair = z.object({ access: z.string(), refresh: z.string() }).meta({ id: 'TokenPair' });
export type TokenPair = z.infer<typeof TokenPair>;

export const LogoutRequest = z
  .strictObject({ refresh_token: z.string().max(512).nullish() })
  .meta({ id: 'LogoutRequest' });

/** The providers that people can sign in with; `oidc` is the administrator's choice. */
export const ProviderName = z.enum(['google', 'github', 'oidc'], 'provider must be google, github, or oidc');
export type ProviderName = z.infer<typeof ProviderName>;

export const StartProviderRequest = z
  .strictObject({
    provider: ProviderName,
    /** Its purpose: signing in or up, connecting the provider to the caller's account, or confirming who the caller is. */
    purpose: z.enum(['sign-in', 'link', 'check'], 'purpose must be sign-in, link, or check'),
  })
  .meta({ id: 'StartProviderRequest' });
export type StartProviderRequest = z.infer<typeof StartProviderRequest>;

export const FinishProviderRequest = z
  .strictObject({
    provider: ProviderName,
    /** The query that the provider sent back with the browser, in base64url. */
    answer: z.string('answer must be text').max(PROVIDER_ANSWER_MAX_LENGTH, 'answer is too long'),
  })
  .meta({ id: 'FinishProviderRequest' });
export type FinishProviderRequest = z.infer<typeof FinishProviderRequest>;

export const ProviderAnswer = z
  .object({
    /** Set if the purpose is signing in and the provider is connected to an account. */
    signed_in: SignedIn.nullable(),
    /** Otherwise, a ticket to connect the provider, confirm who one is, or create an account; works once, in this browser. */
    ticket: z.string().nullable(),
    /** Whether the ticket signs in once the account's second step is passed with a code. */
    code_required: z.boolean(),
    /** The person's address, if the provider vouches for it. */
    email: z.string().nullable(),
    /** The account that has this address; only its user can connect the provider to it. */
    username: z.string().nullable(),
  })
  .meta({ id: 'ProviderAnswer' });
export type ProviderAnswer = z.infer<typeof ProviderAnswer>;

export const ProviderSignInRequest = z
  .strictObject({ ticket: LinkToken, code: Code })
  .meta({ id: 'ProviderSignInRequest' });
export type ProviderSignInRequest = z.infer<typeof ProviderSignInRequest>;

export const ProviderTicketRequest = z.strictObject({ ticket: LinkToken }).meta({ id: 'ProviderTicketRequest' });

export const ProviderCheckRequest = z
  .strictObject({
    ticket: LinkToken,
    /** Required if signing in takes two steps; the ticket alone then gets an error about this field, and can be sent again. */
    code: Code.optional(),
  })
  .meta({ id: 'ProviderCheckRequest' });
export type ProviderCheckRequest = z.infer<typeof ProviderCheckRequest>;

export const ProviderRegisterRequest = NewAccount.extend({
  ticket: LinkToken,
  /** Required if the provider vouches for no address. */
  email: Email.optional(),
}).meta({ id: 'ProviderRegisterRequest' });
export type ProviderRegisterRequest = z.infer<typeof ProviderRegisterRequest>;

/** A provider that is connected to the account. */
export const Identity = z
  .object({
    id: Id,
    provider: ProviderName,
    /** The provider's name. */
    label: z.string(),
    /** The address or name of the account there when it was connected. */
    name: z.string().nullable(),
    created_at: Instant,
    last_used_at: Instant,
    /** Whether the server still has this provider. */
    available: z.boolean(),
  })
  .meta({ id: 'Identity' });
export type Identity = z.infer<typeof Identity>;

/** Few enough not to need pagination. */
export const Identities = z.object({ identities: z.array(Identity) }).meta({ id: 'Identities' });

/** One sign-in on one device. */
export const SignIn = z
  .object({
    id: Id,
    /** The user's name for the device; null until they name it. */
    name: z.string().nullable(),
    /** The browser and system that signed in, if known: Firefox, Windows. */
    browser: z.string().nullable(),
    system: z.string().nullable(),
    created_at: Instant,
    last_used_at: Instant,
    /** Whether this is the sign-in that makes the call. */
    current: z.boolean(),
  })
  .meta({ id: 'SignIn' });
export type SignIn = z.infer<typeof SignIn>;

/** Few enough not to need pagination. */
export const SignIns = z.object({ sign_ins: z.array(SignIn) }).meta({ id: 'SignIns' });

export const NameSignInRequest = z
  .strictObject({
    name: nameUpTo(DEVICE_NAME_MAX_LENGTH).nullable(),
  })
  .meta({ id: 'NameSignInRequest' });
export type NameSignInRequest = z.infer<typeof NameSignInRequest>;

export const signInEndpoints = {
  'POST /api/register/': {
    summary: 'Create an account and sign in',
    public: true,
    body: RegisterRequest,
    answers: { 201: SignedIn },
  },
  'POST /api/login/': {
    summary: 'Sign in, with a code if the account has two-step sign-in',
    public: true,
    body: LoginRequest,
    answers: { 200: SignedIn },
  },
  'POST /api/register/passkey/options/': {
    summary: 'Get what a browser needs to create a passkey for a new account, instead of a password',
    public: true,
    body: RegisterPasskeyRequest,
    answers: { 200: NewPasskeyOptions },
  },
  'POST /api/login/passkey/options/': {
    summary: 'Get what a browser needs to sign in with a passkey',
    public: true,
    answers: { 200: PasskeyProofOptions },
  },
  'POST /api/login/passkey/': {
    summary: 'Sign in with a passkey, which identifies its user',
    public: true,
    body: UsePasskeyRequest,
    answers: { 200: SignedIn },
  },
  'POST /api/token/refresh/': {
    summary: 'Exchange a refresh token for a new token pair',
    public: true,
    body: RefreshRequest,
    answers: { 200: TokenPair },
  },
  'POST /api/logout/': {
    summary: 'End the sign-in of a refresh token or, without one, of the access token',
    public: true,
    body: LogoutRequest,
    answers: { 204: NoContent },
  },
  'DELETE /api/me/email-change/': {
    summary: "Cancel a change of email address that isn't confirmed yet",
    answers: { 200: User },
  },
  'POST /api/me/email-change/confirm/': {
    summary: 'Confirm a new email address, with the token from the emailed link',
    public: true,
    body: ConfirmEmailRequest,
    answers: { 204: NoContent },
  },
  'POST /api/password-reset/': {
    summary: 'Ask for a link to set a new password, by email; the answer is the same for unknown addresses',
    public: true,
    body: ResetRequest,
    answers: { 204: NoContent },
  },
  'POST /api/password-reset/confirm/': {
    summary: 'Set a new password with the token from that link, and end all sign-ins',
    public: true,
    body: ConfirmResetRequest,
    answers: { 204: NoContent },
  },
  'GET /api/me/check/': {
    summary: "Get how users can confirm that it's them, and until when they have",
    answers: { 200: Check },
  },
  'POST /api/me/check/': {
    summary:
      'Enter the password again, and a code if two-step sign-in is on, for calls that need a recent check; signing in is such a check, too',
    body: CheckRequest,
    answers: { 200: Check },
  },
  'GET /api/me/two-step/': {
    summary: 'Get whether signing in takes a code, and how many recovery codes are left',
    answers: { 200: TwoStep },
  },
  'POST /api/me/two-step/': {
    summary:
      'Create a key for an authenticator app; needs a recent check, and its first code turns on two-step sign-in',
    recentCheck: true,
    answers: { 200: TwoStepKey },
  },
  'POST /api/me/two-step/confirm/': {
    summary: 'Turn on two-step sign-in with the first code of the new key; needs a recent check',
    recentCheck: true,
    idempotent: true,
    secret: true,
    body: ConfirmTwoStepRequest,
    answers: { 201: RecoveryCodes },
  },
  'DELETE /api/me/two-step/': {
    summary: 'Turn off two-step sign-in; needs a recent check',
    recentCheck: true,
    answers: { 204: NoContent },
  },
  'POST /api/me/two-step/recovery-codes/': {
    summary: 'Replace all recovery codes; needs a recent check',
    recentCheck: true,
    answers: { 200: RecoveryCodes },
  },
  'POST /api/me/check/passkey/options/': {
    summary: "Get what a browser needs to use one of the user's passkeys",
    answers: { 200: PasskeyProofOptions },
  },
  'POST /api/me/check/passkey/': {
    summary: 'Use a passkey, for calls that need a recent check',
    body: UsePasskeyRequest,
    answers: { 200: Check },
  },
  'POST /api/me/check/provider/': {
    summary:
      'Prove with a connected provider who the user is, and with a code if two-step sign-in is on, for calls that need a recent check',
    body: ProviderCheckRequest,
    answers: { 200: Check },
  },
  'POST /api/me/password/': {
    summary: 'Change the password, or set one, and end all other sign-ins',
    body: ChangePasswordRequest,
    answers: { 204: NoContent },
  },
  'DELETE /api/me/password/': {
    summary: 'Remove the password of an account with a passkey, which must have just been used',
    recentCheck: true,
    answers: { 204: NoContent },
  },
  'GET /api/me/passkeys/': {
    summary: "List the user's passkeys, oldest first",
    answers: { 200: Passkeys },
  },
  'POST /api/me/passkeys/options/': {
    summary: 'Get what a browser needs to create another passkey for the user',
    recentCheck: true,
    answers: { 200: NewPasskeyOptions },
  },
  'POST /api/me/passkeys/': {
    summary: 'Add a passkey',
    recentCheck: true,
    body: AddPasskeyRequest,
    answers: { 201: Passkey },
  },
  'PATCH /api/me/passkeys/{id}/': {
    summary: 'Name a passkey; null removes the name',
    params: ById,
    body: NamePasskeyRequest,
    answers: { 200: Passkey },
  },
  'DELETE /api/me/passkeys/{id}/': {
    summary: 'Remove a passkey, and end the other sign-ins that were made with it',
    recentCheck: true,
    params: ById,
    answers: { 204: NoContent },
  },
  'POST /api/providers/start/': {
    summary:
      'Start signing in with a provider: returns the address to go to, and a cookie that binds the next steps to this browser',
    public: true,
    body: StartProviderRequest,
    answers: { 200: z.object({ address: z.string() }).meta({ id: 'ProviderAddress' }) },
  },
  'POST /api/providers/finish/': {
    summary: "Sign in with the provider's answer, or get a ticket for the next step",
    public: true,
    body: FinishProviderRequest,
    answers: { 200: ProviderAnswer },
  },
  'POST /api/providers/sign-in/': {
    summary: "Sign in with a provider's ticket and the code that the account requires",
    public: true,
    body: ProviderSignInRequest,
    answers: { 200: SignedIn },
  },
  'POST /api/providers/register/': {
    summary: "Create an account without a password, with a provider's ticket, and sign in",
    public: true,
    body: ProviderRegisterRequest,
    answers: { 201: SignedIn },
  },
  'GET /api/me/identities/': {
    summary: 'List the providers that the user can sign in with',
    answers: { 200: Identities },
  },
  'POST /api/me/identities/': {
    summary: 'Connect a provider, with its ticket',
    idempotent: true,
    recentCheck: true,
    body: ProviderTicketRequest,
    answers: { 201: Identity },
  },
  'DELETE /api/me/identities/{id}/': {
    summary: 'Disconnect a provider, unless it is the last way to sign in',
    recentCheck: true,
    params: ById,
    answers: { 204: NoContent },
  },
  'GET /api/me/sign-ins/': {
    summary: 'List where the user is signed in, most recently used first',
    answers: { 200: SignIns },
  },
  'PATCH /api/me/sign-ins/{id}/': {
    summary: 'Name the device of a sign-in; null removes the name',
    params: ById,
    body: NameSignInRequest,
    answers: { 200: SignIn },
  },
  'DELETE /api/me/sign-ins/{id}/': {
    summary: 'End a sign-in; needs a recent check, unless it is the current one',
    params: ById,
    answers: { 204: NoContent },
  },
  'DELETE /api/me/sign-ins/': {
    summary: 'End all other sign-ins; needs a recent check',
    recentCheck: true,
    answers: { 204: NoContent },
  },
} as const satisfies EndpointTable;
