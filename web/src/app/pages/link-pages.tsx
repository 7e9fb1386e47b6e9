// What links from elsewhere lead to, and the page that asks for one, in one chunk, because the code that every page
// starts with names each chunk.
export { ClaimPage } from './claim-page.tsx';
export { ConfirmEmailPage } from './confirm-email-page.tsx';
export { ForgotPasswordPage } from './forgot-password-page.tsx';
export { InvitePage } from './invite-page.tsx';
export { ResetPasswordPage } from './reset-password-page.tsx';
export { UnsubscribePage } from './unsubscribe-page.tsx';
