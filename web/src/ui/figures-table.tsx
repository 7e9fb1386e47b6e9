import type { ReactNode } from 'react';
import { classes } from './class-names.ts';

interface FiguresTableProps {
  /** Column titles: the name's, then the figures'. */
  titles: string[];
  caption?: string;
  /** For a table in a small box. */
  dense?: boolean;
  children: ReactNode;
}

/** A table of names and figures. Figures take the width they need and the name the rest. */
export const FiguresTable = ({ titles, caption, dense = false, children }: FiguresTableProps) => (
  <table className="group/figures w-full" data-dense={dense || undefined}>
    {caption !== undefined && <caption className="sr-only">{caption}</caption>}
    <thead>
      <tr className="border-b border-line">
        {titles.map((title) => (
          <th
            key={title}
            scope="col"
            className="py-2 ps-3 text-end text-small font-medium whitespace-nowrap text-muted first:ps-0 first:text-start group-data-dense/figures:py-1.5 group-data-dense/figures:text-[13px]"
          >
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

export const FiguresRow = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <tr className="border-b border-line last:border-b-0 group-data-dense/figures:border-b-0">
    <th
      scope="row"
      className="w-full max-w-0 truncate py-2.5 text-start font-medium group-data-dense/figures:py-1.5 group-data-dense/figures:text-[14px]"
    >
      {name}
    </th>
    {children}
  </tr>
);

export const Figure = ({ children, className }: { children: ReactNode; className?: string }) => (
  <td
    className={classes(
      'figures py-2.5 ps-3 text-end whitespace-nowrap group-data-dense/figures:py-1.5 group-data-dense/figures:text-[14px] sm:ps-6 sm:group-data-dense/figures:ps-3',
      className,
    )}
  >
    {children}
  </td>
);
