import { PASSWORD_MIN_LENGTH } from '@hourshare/contract/limits';
import { ApiError, NoConnection } from '../../lib/http-errors.ts';

export const usernameProblem = (username: string): string | true =>
  username.trim() === '' ? 'Username is required' : true;

export const loginPasswordProblem = (password: string): string | true => {
  if (password === '') return 'Password is required';
  if (password.length < PASSWORD_MIN_LENGTH) return `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`;
  return true;
};

export const emailProblem = (email: string): string | true =>
  email.trim() === '' ? 'Email address is required' : true;

export const currentPasswordProblem = (password: string): string | true =>
  password === '' ? 'Current password is required' : true;

/** No rule about length here: the policy for new passwords is the server's, and its sentence shows under the field. */
export const newPasswordProblem = (password: string): string | true =>
  password === '' ? 'Password is required' : true;

export const confirmationProblem = (confirmation: string, password: string): string | true => {
  if (confirmation === '') return 'Confirm password is required';
  return confirmation === password ? true : 'Passwords do not match';
};

export function loginFailureText(error: unknown): string {
  // What a browser says of itself, such as a full storage, is no sentence for people.
  const standard = error instanceof ApiError || error instanceof NoConnection;
  if (!standard) return 'An unexpected error occurred. Please try again later.';
  return error.message || 'Failed to login. Please check your credentials and try again.';
}

/** The sentence for the banner, or null when the server tied everything to fields that this form has. */
export function registerFailureText(error: unknown, formFields: readonly string[]): string | null {
  const atFault = error instanceof ApiError ? Object.keys(error.fields) : [];
  return atFault.some((name) => formFields.includes(name)) ? null : 'Failed to create account. Please try again.';
}
