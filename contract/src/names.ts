/**
 * Whether a name in a list is that of someone who can't sign in: "Grandma (ana)", whom an owner added, or "Deleted user 7". Usernames
 * have no spaces.
 */
export const hasNoAccount = (name: string): boolean => name.includes(' ');
