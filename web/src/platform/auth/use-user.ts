import type { User } from '@hourshare/contract/users';
import { useSyncExternalStore } from 'react';
import { currentSignIn, onSignInChange } from './sign-in.ts';

export function useUser(): User | null {
  return useSyncExternalStore(onSignInChange, currentSignIn, () => null)?.user ?? null;
}
