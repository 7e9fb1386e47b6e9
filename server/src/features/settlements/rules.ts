/** What two users owe one another, set off: whole cents; `net` is negative when the user owes more than is owed to them. */
export function netOf(lines: readonly { cents: number; owedToUser: boolean }[]): {
  owedToUser: number;
  owedByUser: number;
  net: number;
} {
  const sum = (to: boolean) =>
    lines.reduce((total, { cents, owedToUser }) => (owedToUser === to ? total + cents : total), 0);
  return { owedToUser: sum(true), owedByUser: sum(false), net: sum(true) - sum(false) };
}
