import {
  ALLOCATION_MAX_HOURS,
  ALLOCATION_MIN_HOURS,
  ASSET_DESCRIPTION_MAX_LENGTH,
  ASSET_NAME_MAX_LENGTH,
  EMAIL_MAX_LENGTH,
  MAX_SESSION_HOURS_MAX,
  OBJECTION_TEXT_MAX_LENGTH,
  OWNER_HOURS_MAX,
  PASSWORD_MAX_LENGTH,
  PAYMENT_LINK_MAX_LENGTH,
  PAYMENT_TEXT_MAX_LENGTH,
  PERSON_NAME_MAX_LENGTH,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from './limits.ts';

// The sentences of schemas and the server that the web app can show. It translates each one, so they are all here;
// what only another client can cause stays where it is checked.

export const SENTENCES = {
  usernameRequired: 'Username is required',
  usernameCharacters: "Username contains characters that aren't allowed",
  usernameRule: `Username must be ${USERNAME_MIN_LENGTH} to ${USERNAME_MAX_LENGTH} characters: letters, numbers, dots, underscores, or hyphens`,
  usernameTooLong: 'Username is too long',
  usernameTaken: 'This username is already taken',
  emailRequired: 'Email address is required',
  emailCharacters: "Email address contains characters that aren't allowed",
  emailTooLong: `Email address must be at most ${EMAIL_MAX_LENGTH} characters long`,
  emailInvalid: 'Enter a valid email address',
  emailTaken: 'This email address is already in use',
  passwordRequired: 'Password is required',
  passwordTooLong: `Password must be at most ${PASSWORD_MAX_LENGTH} characters long`,
  passwordGuessable: 'This password is too easy to guess. Choose a stronger one',
  passwordIsName: "Password can't be your username or email address",
  currentPasswordRequired: 'Current password is required',
  currentPasswordWrong: 'Your current password is incorrect',
  currentPasswordForEmail: 'Enter your current password to change your email address',
  codeRequired: 'Code is required',
  codeWrong: 'That code is wrong or was already used',
  timeZoneUnknown: 'Unknown time zone',
  ibanInvalid: 'Enter a valid IBAN',
  paymentLinkInvalid: 'Enter a link that starts with https://',
  paymentLinkTooLong: `Link must be at most ${PAYMENT_LINK_MAX_LENGTH} characters long`,
  paymentTextCharacters: "Payment details can't contain invisible or control characters",
  paymentTextTooLong: `Payment details must be at most ${PAYMENT_TEXT_MAX_LENGTH} characters long`,

  nameRequired: 'Name is required',
  nameCharacters: "Name can't contain invisible or control characters",
  nameTooLong: `Name must be at most ${ASSET_NAME_MAX_LENGTH} characters long`,
  descriptionCharacters: "Description can't contain invisible or control characters",
  descriptionTooLong: `Description must be at most ${ASSET_DESCRIPTION_MAX_LENGTH} characters long`,
  sessionLimitRule: `Session limit must be a whole number of hours from 1 to ${MAX_SESSION_HOURS_MAX}`,
  assetNotFound: 'Asset not found.',

  costRequired: 'Monthly subscription cost is required',
  costNotNumber: 'Monthly subscription cost must be a number',
  costNegative: "Monthly subscription cost can't be negative",
  costNoDecimals: "Monthly subscription cost can't have decimals",
  costTwoDecimals: 'Monthly subscription cost must have at most two decimals',
  costThreeDecimals: 'Monthly subscription cost must have at most three decimals',
  costFourDecimals: 'Monthly subscription cost must have at most four decimals',
  currencyRule: 'Currency must be an ISO 4217 code, such as USD',
  currencyBilled: "The currency can't change after a month has ended.",
  splitMethodRule: 'Split method must be usage, allocation, or equal',
  baseShareRule: 'Base share must be a whole number from 0 to 100',
  ownerHoursRule: `Your own hours must be a whole number from 0 to ${OWNER_HOURS_MAX}`,
  monthRule: 'Enter the month as YYYY-MM',
  monthPriceClosed: "This month is closed, so its price can't change.",
  priceLoweredByOwner: 'Only the owner can lower the price of a month that has begun.',
  currencyByOwner: 'Only the owner can change the currency.',
  unbilledByOwner: 'Only the owner can choose not to bill this month.',
  termsNowByOwner: 'Only the owner can propose other terms for this month.',
  termsLateByOwner: 'In the last 72 hours of a month, only the owner can change the terms of the next one.',
  closeByOwner: 'A co-manager edited sessions of this month, so only the owner can close it early.',
  managerByOwner: 'Only the owner can change the access of a co-manager.',
  personByOwner: "Only the owner can do that for someone who doesn't have an account.",
  useByOwner: "Only the owner can answer an edit of a co-manager's session.",
  priceOnlyLowered: 'This month has ended, so its price can only be lowered.',
  monthBeforeAsset: 'The asset was added after this month.',

  usernameAndHoursRequired: 'Username and monthly hours are required',
  monthlyHoursRule: `Monthly hours must be a whole number from ${ALLOCATION_MIN_HOURS} to ${ALLOCATION_MAX_HOURS}`,
  shareNotFound: 'Shared asset not found.',
  invitationNotFound: 'Invitation not found.',
  inviteSelf: 'This is your own asset. Pass the link on to someone else.',
  memberAlready: 'You already have access to this asset.',
  invitedToArchived: 'This asset is archived. Ask its owner to restore it.',
  claimOwn: 'You recorded this yourself. Pass the link on to the person it is about.',
  personNameTooLong: `Name must be at most ${PERSON_NAME_MAX_LENGTH} characters long`,
  trustSelf: 'Enter the username of someone else.',

  startRule: 'Start must be a date and time with a UTC offset',
  endRule: 'End must be a date and time with a UTC offset',
  endInFuture: "A session can't end in the future.",
  endBeforeStart: 'A session must end after it starts.',
  endAfterAccess: 'Your access to this asset had ended by then.',
  startBeforeAccess: "You didn't have access to this asset yet.",
  assetWasArchived: 'This asset was archived at that time.',
  pressedInFuture: "This can't be in the future.",
  theirEndAfterAccess: 'Their access to this asset had ended by then.',
  theirStartBeforeAccess: "They didn't have access to this asset yet.",
  theirSessionOverlaps: 'This overlaps another of their sessions.',
  sessionNotFound: 'Session not found.',
  objectionTextRequired: 'Write something first',
  objectionTextCharacters: "Text can't contain invisible or control characters",
  objectionTextTooLong: `Text must be at most ${OBJECTION_TEXT_MAX_LENGTH} characters long`,

  statementNotFound: 'Statement not found.',
  chargeNotFound: 'Charge not found.',
  paymentNotFound: 'Payment not found.',
  amountNotNumber: 'Amount must be a number',
  amountTooLow: 'Amount must be more than zero',
  amountNoDecimals: "Amount can't have decimals",
  amountTwoDecimals: 'Amount must have at most two decimals',
  amountThreeDecimals: 'Amount must have at most three decimals',
  amountFourDecimals: 'Amount must have at most four decimals',
  currencyToSettle: 'Choose a currency to settle.',
  severalCurrencies: 'You owe each other in more than one currency. Settle one at a time.',
} as const;
export type SentenceKey = keyof typeof SENTENCES;

/** Sentences with values in them; `fillTemplate` writes them. */
export const TEMPLATES = {
  passwordTooShort: 'Password must be at least {count} characters long',
  costTooHigh: 'Monthly subscription cost must be at most {max}',
  otherPriceUnfit: "Another month has a price that {currency} doesn't allow. Change that price first.",
  monthTooFar: 'Choose a month within the next {years} years.',
  amountTooHigh: 'Amount must be at most {max}',
  userNotFound: 'User "{username}" not found',
  pressedTooLongAgo: 'This was more than {hours} hours ago.',
  sessionTooLong: 'This is over the {hours}-hour session limit.',
  notAMember: "{username} didn't have access in any of these months.",
} as const;
export type TemplateKey = keyof typeof TEMPLATES;

/** The names of a template's values. */
export type ValueOf<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueOf<Rest>
  : never;

/** Returns a template with its values in place. */
export const fillTemplate = <const T extends (typeof TEMPLATES)[TemplateKey]>(
  template: T,
  values: Record<ValueOf<T>, string | number>,
): string =>
  Object.entries(values).reduce<string>(
    (text, [name, value]) => text.replace(`{${name}}`, () => String(value)),
    template,
  );
