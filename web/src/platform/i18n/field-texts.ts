import {
  ALLOCATION_MAX_HOURS,
  ALLOCATION_MIN_HOURS,
  ASSET_DESCRIPTION_MAX_LENGTH,
  ASSET_NAME_MAX_LENGTH,
  EMAIL_MAX_LENGTH,
  MAX_SESSION_HOURS_MAX,
  OWNER_HOURS_MAX,
  OBJECTION_TEXT_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PAYMENT_LINK_MAX_LENGTH,
  PAYMENT_TEXT_MAX_LENGTH,
  PERSON_NAME_MAX_LENGTH,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from '@hourshare/contract/limits';
import { SENTENCES, TEMPLATES, type SentenceKey, type TemplateKey } from '@hourshare/contract/sentences';
import { numberFormat } from './language.ts';
import { t } from './messages.ts';

// The contract's sentences in the language of the page. English ones are the same here, word for word.

const texts: Record<SentenceKey, () => string> = {
  usernameRequired: () => t('Username is required'),
  usernameCharacters: () => t("Username contains characters that aren't allowed"),
  usernameRule: () =>
    t('Username must be {min} to {max} characters: letters, numbers, dots, underscores, or hyphens', {
      min: USERNAME_MIN_LENGTH,
      max: USERNAME_MAX_LENGTH,
    }),
  usernameTooLong: () => t('Username is too long'),
  usernameTaken: () => t('This username is already taken'),
  emailRequired: () => t('Email address is required'),
  emailCharacters: () => t("Email address contains characters that aren't allowed"),
  emailTooLong: () => t('Email address must be at most {max} characters long', { max: EMAIL_MAX_LENGTH }),
  emailInvalid: () => t('Enter a valid email address'),
  emailTaken: () => t('This email address is already in use'),
  passwordRequired: () => t('Password is required'),
  passwordTooLong: () => t('Password must be at most {max} characters long', { max: PASSWORD_MAX_LENGTH }),
  passwordGuessable: () => t('This password is too easy to guess. Choose a stronger one'),
  passwordIsName: () => t("Password can't be your username or email address"),
  currentPasswordRequired: () => t('Current password is required'),
  currentPasswordWrong: () => t('Your current password is incorrect'),
  currentPasswordForEmail: () => t('Enter your current password to change your email address'),
  codeRequired: () => t('Code is required'),
  codeWrong: () => t('That code is wrong or was already used'),
  timeZoneUnknown: () => t('Unknown time zone'),
  ibanInvalid: () => t('Enter a valid IBAN'),
  paymentLinkInvalid: () => t('Enter a link that starts with https://'),
  paymentLinkTooLong: () => t('Link must be at most {max} characters long', { max: PAYMENT_LINK_MAX_LENGTH }),
  paymentTextCharacters: () => t("Payment details can't contain invisible or control characters"),
  paymentTextTooLong: () =>
    t('Payment details must be at most {max} characters long', { max: PAYMENT_TEXT_MAX_LENGTH }),

  nameRequired: () => t('Name is required'),
  nameCharacters: () => t("Name can't contain invisible or control characters"),
  nameTooLong: () => t('Name must be at most {max} characters long', { max: ASSET_NAME_MAX_LENGTH }),
  descriptionCharacters: () => t("Description can't contain invisible or control characters"),
  descriptionTooLong: () =>
    t('Description must be at most {max} characters long', { max: ASSET_DESCRIPTION_MAX_LENGTH }),
  sessionLimitRule: () =>
    t('Session limit must be a whole number of hours from {min} to {max}', { min: 1, max: MAX_SESSION_HOURS_MAX }),
  assetNotFound: () => t('Asset not found.'),

  costRequired: () => t('Monthly subscription cost is required'),
  costNotNumber: () => t('Monthly subscription cost must be a number'),
  costNegative: () => t("Monthly subscription cost can't be negative"),
  costNoDecimals: () => t("Monthly subscription cost can't have decimals"),
  costTwoDecimals: () => t('Monthly subscription cost must have at most two decimals'),
  costThreeDecimals: () => t('Monthly subscription cost must have at most three decimals'),
  costFourDecimals: () => t('Monthly subscription cost must have at most four decimals'),
  currencyRule: () => t('Currency must be an ISO 4217 code, such as USD'),
  currencyBilled: () => t("The currency can't change after a month has ended."),
  splitMethodRule: () => t('Split method must be usage, allocation, or equal'),
  baseShareRule: () => t('Base share must be a whole number from {min} to {max}', { min: 0, max: 100 }),
  ownerHoursRule: () =>
    t('Your own hours must be a whole number from {min} to {max}', { min: 0, max: OWNER_HOURS_MAX }),
  monthRule: () => t('Enter the month as YYYY-MM'),
  monthPriceClosed: () => t("This month is closed, so its price can't change."),
  priceLoweredByOwner: () => t('Only the owner can lower the price of a month that has begun.'),
  currencyByOwner: () => t('Only the owner can change the currency.'),
  unbilledByOwner: () => t('Only the owner can choose not to bill this month.'),
  termsNowByOwner: () => t('Only the owner can propose other terms for this month.'),
  termsLateByOwner: () => t('In the last 72 hours of a month, only the owner can change the terms of the next one.'),
  closeByOwner: () => t('A co-manager edited sessions of this month, so only the owner can close it early.'),
  managerByOwner: () => t('Only the owner can change the access of a co-manager.'),
  personByOwner: () => t("Only the owner can do that for someone who doesn't have an account."),
  useByOwner: () => t("Only the owner can answer an edit of a co-manager's session."),
  priceOnlyLowered: () => t('This month has ended, so its price can only be lowered.'),
  monthBeforeAsset: () => t('The asset was added after this month.'),

  usernameAndHoursRequired: () => t('Username and monthly hours are required'),
  monthlyHoursRule: () =>
    t('Monthly hours must be a whole number from {min} to {max}', {
      min: ALLOCATION_MIN_HOURS,
      max: ALLOCATION_MAX_HOURS,
    }),
  shareNotFound: () => t('Shared asset not found.'),
  invitationNotFound: () => t('Invitation not found.'),
  inviteSelf: () => t('This is your own asset. Pass the link on to someone else.'),
  memberAlready: () => t('You already have access to this asset.'),
  invitedToArchived: () => t('This asset is archived. Ask its owner to restore it.'),
  claimOwn: () => t('You recorded this yourself. Pass the link on to the person it is about.'),
  personNameTooLong: () => t('Name must be at most {max} characters long', { max: PERSON_NAME_MAX_LENGTH }),
  trustSelf: () => t('Enter the username of someone else.'),

  startRule: () => t('Start must be a date and time with a UTC offset'),
  endRule: () => t('End must be a date and time with a UTC offset'),
  endInFuture: () => t("A session can't end in the future."),
  endBeforeStart: () => t('A session must end after it starts.'),
  pressedInFuture: () => t("This can't be in the future."),
  endAfterAccess: () => t('Your access to this asset had ended by then.'),
  startBeforeAccess: () => t("You didn't have access to this asset yet."),
  assetWasArchived: () => t('This asset was archived at that time.'),
  theirEndAfterAccess: () => t('Their access to this asset had ended by then.'),
  theirStartBeforeAccess: () => t("They didn't have access to this asset yet."),
  theirSessionOverlaps: () => t('This overlaps another of their sessions.'),
  sessionNotFound: () => t('Session not found.'),
  objectionTextRequired: () => t('Write something first'),
  objectionTextCharacters: () => t("Text can't contain invisible or control characters"),
  objectionTextTooLong: () => t('Text must be at most {max} characters long', { max: OBJECTION_TEXT_MAX_LENGTH }),

  statementNotFound: () => t('Statement not found.'),
  chargeNotFound: () => t('Charge not found.'),
  paymentNotFound: () => t('Payment not found.'),
  amountNotNumber: () => t('Amount must be a number'),
  amountTooLow: () => t('Amount must be more than zero'),
  amountNoDecimals: () => t("Amount can't have decimals"),
  amountTwoDecimals: () => t('Amount must have at most two decimals'),
  amountThreeDecimals: () => t('Amount must have at most three decimals'),
  amountFourDecimals: () => t('Amount must have at most four decimals'),
  currencyToSettle: () => t('Choose a currency to settle.'),
  severalCurrencies: () => t('You owe each other in more than one currency. Settle one at a time.'),
};

type Values = Record<string, string>;

const numberText = (number: string) => numberFormat({ maximumFractionDigits: 4 }).format(Number(number));

const templateTexts: Record<TemplateKey, (values: Values) => string> = {
  passwordTooShort: ({ count = '' }) => t('Password must be at least {count} characters long', { count }),
  costTooHigh: ({ max = '' }) => t('Monthly subscription cost must be at most {max}', { max: numberText(max) }),
  otherPriceUnfit: ({ currency = '' }) =>
    t("Another month has a price that {currency} doesn't allow. Change that price first.", { currency }),
  monthTooFar: ({ years = '' }) => t('Choose a month within the next {years} years.', { years }),
  amountTooHigh: ({ max = '' }) => t('Amount must be at most {max}', { max: numberText(max) }),
  userNotFound: ({ username = '' }) => t('User "{username}" not found', { username }),
  pressedTooLongAgo: ({ hours = '' }) => t('This was more than {hours} hours ago.', { hours }),
  sessionTooLong: ({ hours = '' }) => t('This is over the {hours}-hour session limit.', { hours }),
  notAMember: ({ username = '' }) => t("{username} didn't have access in any of these months.", { username }),
};

const isSentenceKey = (key: string): key is SentenceKey => Object.hasOwn(texts, key);
const isTemplateKey = (key: string): key is TemplateKey => Object.hasOwn(templateTexts, key);

/** Returns the values that make the template this text, or undefined if none do. */
function valuesIn(template: string, text: string): Values | undefined {
  const pattern = template.replace(/[.?()]/g, String.raw`\$&`).replace(/\{(\w+)\}/g, '(?<$1>.+)');
  return new RegExp(`^${pattern}$`, 's').exec(text)?.groups;
}

/** Returns one of the contract's sentences in the current language, or undefined if it isn't one. */
export function knownText(sentence: string): string | undefined {
  const key = Object.entries(SENTENCES).find(([, english]) => english === sentence)?.[0];
  if (key !== undefined && isSentenceKey(key)) return texts[key]();
  for (const [name, template] of Object.entries(TEMPLATES)) {
    const values = valuesIn(template, sentence);
    if (values && isTemplateKey(name)) return templateTexts[name](values);
  }
  return undefined;
}

/** Returns a field's message in the current language; one that isn't the contract's, as it came. */
export const fieldText = (sentence: string): string => knownText(sentence) ?? sentence;
