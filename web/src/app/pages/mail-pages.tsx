// What asks for links in emails and what they lead to, in one chunk: each chunk of its own is named in the code that every page starts with.
export { ConfirmEmailPage } from './confirm-email-page.tsx';
export { ForgotPasswordPage } from './forgot-password-page.tsx';
export { ResetPasswordPage } from './reset-password-page.tsx';
export { UnsubscribePage } from './unsubscribe-page.tsx';
