let deleted = false;

/** Records whether the account that was last signed in here was deleted here, for the next page. */
export function setAccountDeleted(value: boolean): void {
  deleted = value;
}

export const isAccountDeleted = (): boolean => deleted;
