/** Returns what two users owe each other in whole cents; `net` is negative when the user owes more than they are owed. */
export function netBalance(lines: readonly { cents: number; owedToUser: boolean }[]): {
  owedToUser: number;
  owedByUser: number;
  net: number;
} {
  const sum = (toUser: boolean) =>
    lines.reduce((total, { cents, owedToUser }) => (owedToUser === toUser ? total + cents : total), 0);
  const [owedToUser, owedByUser] = [sum(true), sum(false)];
  return { owedToUser, owedByUser, net: owedToUser - owedByUser };
}
